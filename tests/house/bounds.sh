#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# How work and memory grow with a file: every verb reads files that are much of one thing (worst_case.awk), at one size
# and at four times that, with a command that counts branches and bytes. Four times the file may take four times the
# work, and a logarithm more; where sparse systems are factored, eight times; and memory in proportion. What grows
# faster is a fault even where it is not yet slow. Every verb also reads every file of the fuzz corpora, within a bound
# for its size. Clocks are not looked at.
# usage: bounds.sh ROOT BUILD [FAMILY...]

set -eu
root=$1
gertie=$2/gertie
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
small=${BOUNDS_SIZE:-4000}
large=$((4 * small))

"$gertie" -q sample person -o person.glb --triangles 2000
"$gertie" -q sample walk -o walk.bvh --repeat 1

# FAMILY | what grows in it | verbs that read it
cat >families <<'END'
bvh-chain       | joints, one below the other   | info map convert clip measure pack plot render animate-motion
bvh-fan         | joints, all below one         | info map convert clip measure pack plot render animate-motion
gltf-chain      | nodes, one below the other    | info map convert convert-fbx measure pack plot render animate
gltf-fan        | nodes, all below one          | info map convert measure pack plot render animate
gltf-joints     | joints of one skin            | info map convert convert-fbx measure pack plot render animate deform
gltf-primitives | primitives and materials      | info map convert convert-fbx pack render
gltf-instances  | nodes that show one mesh      | info map convert convert-fbx pack render
gltf-morphs     | morph targets                 | info convert convert-fbx pack render deform
gltf-clips      | clips                         | info convert convert-fbx pack plot
obj-polygon     | corners of one polygon        | info convert pack render rig
obj-corners     | corners over three vertices   | info convert pack render rig
obj-hub         | triangles about one vertex    | info convert pack render rig
obj-sheet       | triangles that hang together  | info convert pack render rig
obj-soup        | triangles of their own        | info convert pack render rig
obj-heap        | triangles in one place        | info convert pack render rig
obj-groups      | groups and materials          | info convert pack render rig
fbx-depth       | nodes, one inside the other   | info convert
fbx-chain       | models, one below the other   | info map convert convert-fbx
fbx-fan         | models, all below one         | info map convert convert-fbx
fbx-connections | connections of a few models   | info convert
fbx-curves      | curves with times of their own | info convert convert-fbx
fbx-keys        | keys of a curve               | info convert convert-fbx
fbx-layers      | layers of one rotation        | info convert
fbx-clips       | clips                         | info convert convert-fbx
fbx-takes       | clips, each of its own model  | info convert
fbx-shapes      | blend shapes                  | info convert convert-fbx
fbx-faces       | materials and blend shapes    | info convert
fbx-instances   | models of one geometry        | convert
fbx-clusters    | joints of one skin            | info convert convert-fbx
fbx-pictures    | textures that are not there   | info convert
fbx-sheet       | triangles of their own        | info convert convert-fbx
fbx-polygon     | corners of one polygon        | info convert
fbx-properties  | properties and their defaults | info convert
dae-chain       | nodes, one below the other    | info convert
dae-fan         | nodes, all below one          | info convert convert-fbx
dae-nodes       | nodes that show the next twice | info convert
dae-sheet       | triangles of their own        | info convert
dae-instances   | nodes that show one mesh      | convert
dae-morphs      | morph targets                 | info convert
dae-materials   | materials and effects         | info convert
dae-curves      | curves with times of their own | info convert
dae-keys        | keys of a curve               | info convert
sk-chain        | joints, one below the other   | info convert
sk-fan          | joints, all below one         | info convert
skm-frames      | frames                        | info convert
asf-chain       | joints, one below the other   | info convert
asf-fan         | joints, all below one         | info convert
amc-frames      | frames                        | info convert
json-keys       | keys of a joint               | animate-keys
json-contacts   | contacts of a foot            | animate-contacts
END

# line VERB FILE: the command line
line() {
    case $1 in
    info) echo "info $2" ;;
    map) echo "map $2" ;;
    convert) echo "convert $2 out.glb" ;;
    convert-fbx) echo "convert $2 out.fbx" ;;
    clip) echo "clip $2 -o out.bvh" ;;
    measure) echo "measure $2 --mesh-frames 1 -o out.html" ;;
    pack) echo "pack $2 out.gtp" ;;
    plot) echo "plot $2 -c j0.rotation.x -o out.svg" ;;
    render) echo "render $2 -o out.png --size 32x32 --quality draft" ;;
    rig) echo "rig $2 -o out.glb" ;;
    deform) echo "deform $2 --preset breath -o out.glb" ;;
    animate) echo "animate $2 walk.bvh -o out.glb" ;;
    animate-motion) echo "animate person.glb $2 -o out.glb" ;;
    animate-keys) echo "animate person.glb walk.bvh --keys $2 -o out.glb" ;;
    animate-contacts) echo "animate person.glb walk.bvh --contacts $2 -o out.glb" ;;
    esac
}

# The size of the FBX file that was written, which says at length what glTF says in a few words.
written() {
    if [ -e out.fbx ]; then wc -c <out.fbx; else echo 0; fi
}

# count VERB FILE: sets branches and bytes; what the file is refused with does not matter here
count() {
    rm -f counts out.fbx
    # shellcheck disable=SC2046  # words of the line
    GERTIE_COUNTS=counts timeout 300 "$gertie" -q --threads 1 $(line "$1" "$2") >/dev/null 2>said || true
    if ! read -r branches bytes <counts; then
        echo "FAIL: $(line "$1" "$2"): it did not end by itself" && head -n 3 said
        branches=0 bytes=0 faults=$((faults + 1))
    fi
}

total=0 faults=0
while IFS='|' read -r family what verbs; do
    family=$(echo "$family" | tr -d ' ')
    what=$(echo "$what" | sed 's/^ *//; s/ *$//')
    [ $# -eq 0 ] || case " $* " in *" $family "*) ;; *) continue ;; esac
    ending=${family%%-*}
    awk -v family="$family" -v n="$small" -f "$root/tests/house/worst_case.awk" >"small.$ending"
    awk -v family="$family" -v n="$large" -f "$root/tests/house/worst_case.awk" >"large.$ending"
    for size in small large; do # motions find their skeletons beside them
        case $ending in
        skm) awk -v family=sk-chain -v n=2 -f "$root/tests/house/worst_case.awk" >"$size.sk" ;;
        amc) awk -v family=asf-chain -v n=2 -f "$root/tests/house/worst_case.awk" >"$size.asf" ;;
        esac
    done
    more=$(($(wc -c <"large.$ending") - $(wc -c <"small.$ending")))
    for verb in $verbs; do
        total=$((total + 1))
        count "$verb" "small.$ending"
        few=$branches low=$bytes written=$(written)
        count "$verb" "large.$ending"
        written=$(($(written) - written))
        awk -v verb="$verb" -v family="$family" -v what="$what" -v n="$small" -v few="$few" -v many="$branches" \
            -v low="$low" -v high="$bytes" -v more="$((written > more ? written : more))" -v tell="${BOUNDS_TELL:-}" '
            BEGIN {
                most = (verb == "rig" ? 8 : 4 * log(4 * n) / log(n)) * 1.1
                factor = (high - low) / more # bytes of memory for a byte more of the file
                text = sprintf("%-16s %-15s %8.2f million branches, %5.2f times; %6.1f MB, %5.1f bytes a byte", verb,
                    family, many / 1e6, few ? many / few : 0, high / 1e6, factor)
                if (tell) {
                    print text
                }
                if (many > most * few) {
                    print "FAIL: work grows faster than " what ": " text
                    exit 1
                }
                if (factor > 75) {
                    print "FAIL: memory grows by more than 75 times the file: " text
                    exit 1
                }
            }' || faults=$((faults + 1))
    done
done <families

# Files that fuzzing found: work within a bound for their size. Rigging begins with a grid, whatever the body.
files=0
[ $# -gt 0 ] || for file in "$root"/fuzz/corpus/*/*; do
    files=$((files + 1))
    [ $((files % ${BOUNDS_EVERY:-4})) -eq 0 ] || continue
    case $file in
    */corpus/json/* | */corpus/keys/* | */corpus/deform/*) continue ;;
    */corpus/bvh/*) verbs="info convert clip measure pack render animate-motion" ;;
    */corpus/fbx*/*) verbs="info convert convert-fbx measure pack render" ;;
    */corpus/bitmap/*) continue ;;
    */corpus/pack/* | */corpus/play/*) verbs="info convert render" ;;
    *) verbs="info convert measure pack render rig" ;;
    esac
    for verb in $verbs; do
        total=$((total + 1))
        count "$verb" "$file"
        awk -v verb="$verb" -v file="${file##*/corpus/}" -v size="$(wc -c <"$file")" -v many="$branches" \
            -v high="$bytes" -v tell="${BOUNDS_TELL:-}" '
            BEGIN {
                text = sprintf("%-16s %8.2f million branches, %6.1f MB: %s, %d bytes", verb, many / 1e6, high / 1e6,
                    file, size)
                if (tell) {
                    print text
                }
                if (many > (verb == "rig" ? 3e9 : 1e8) + 1e4 * size || high > (verb == "rig" ? 2e8 : 1e8) + 75 * size) {
                    print "FAIL: more than a file of this size should take: " text
                    exit 1
                }
            }' || faults=$((faults + 1))
    done
done
echo "$total counts, $faults faults"
[ "$faults" -eq 0 ]
