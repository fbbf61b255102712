#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes every call of the command to the system, and every allocation, its libraries' included, fail in turn, for every verb: it ends with status 1
# and one line that says what is wrong, what was there before is as it was, and nothing is left beside it; or, where it
# can do without, with the same files as ever. A verb that is missing here is a fault.
# usage: failures.sh ROOT BUILD [RUN...], the numbers of runs, counted from 1; without them, all

set -eu
root=$1
build=$2
gertie=$build/gertie
shim=$build/tests/libfail-shim.so
[ $# -le 2 ] || { shift 2 && chosen=" $* "; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
most=${FAILURES_MOST:-20} # calls of a kind that are made to fail in a run; of more, as many evenly chosen
most_library=${FAILURES_MOST:-5} # of the allocations of libraries

mkdir in
"$gertie" -q sample person -o in/person.glb --triangles 2000
"$gertie" -q sample walk -o in/walk.bvh --repeat 1
"$gertie" -q sample person --bare -o in/bare.obj --triangles 2000
"$gertie" -q animate in/person.glb in/walk.bvh --fps 10 -o in/walking.glb
"$gertie" -q deform in/walking.glb --preset muscles -o in/muscles.glb
mkdir in/motions
cp in/walk.bvh in/motions/a.bvh
cat >in/look.json <<'END'
{"gertie_keys": 1, "rotations": [{"joint": "head", "keys": [{"time_s": 0, "rotation_deg": [0, 60, 0]}]}]}
END
cat >in/pairs.json <<'END'
{"gertie_pairs": 1, "pairs": [
    {"template_point_m": [0, 1.7, 0], "target_point_m": [0, 1.7, 0]},
    {"template_point_m": [0.7, 1.4, 0], "target_point_m": [0.7, 1.4, 0]},
    {"template_point_m": [-0.7, 1.4, 0], "target_point_m": [-0.7, 1.4, 0]},
    {"template_point_m": [0.1, 0, 0.1], "target_point_m": [0.1, 0, 0.1]},
    {"template_point_m": [-0.1, 0, 0.1], "target_point_m": [-0.1, 0, 0.1]}]}
END

"$gertie" -q convert in/walking.glb in/walking.fbx
cp "$root/fuzz/corpus/collada/clips" in/clips.dae
for kind in sk skm asf amc; do # a motion finds its skeleton beside it
    family=$kind-chain
    case $kind in skm | amc) family=$kind-frames ;; esac
    awk -v family=$family -v n=3 -f "$root/tests/house/worst_case.awk" >in/small.$kind
done

# VERB | files that are there before, and are to be replaced: all or none, or each by itself | the command line
cat >runs <<'END'
animate  | a.glb          |      | animate in/person.glb in/walk.bvh --fps 10 --keys in/look.json -o out/a.glb
animate  | a.gltf a.bin   |      | animate in/bare.obj in/walk.bvh --fps 5 -o out/a.gltf
animate  | a.obj a.mtl    |      | animate in/person.glb in/walk.bvh --fps 5 -o out/a.obj
animate  | a.glb          |      | animate in/bare.obj in/walking.glb --pairs in/pairs.json --fps 5 -o out/a.glb
animate  | a.glb          |      | animate in/person.glb in/walk.bvh --method harmonic --fps 5 -o out/a.glb
clip     | a.bvh          |      | clip in/walk.bvh --from 0.2 --to 0.8 --plant -o out/a.bvh
contacts | a.json         |      | contacts in/walk.bvh --hands -o out/a.json
convert  | a.gltf a.bin   |      | convert in/person.glb out/a.gltf
convert  | a.pc2 a.obj    | each | convert in/walking.glb out/a.pc2 --fps 5
convert  | a.obj a.mtl    |      | convert in/person.glb out/a.obj
convert  | a.fbx          |      | convert in/walking.glb out/a.fbx
convert  | a.glb          |      | convert in/walking.fbx out/a.glb
convert  | a.vrma         |      | convert in/walking.glb out/a.vrma
convert  | a.glb          |      | convert in/clips.dae out/a.glb
convert  | a.glb          |      | convert in/small.amc out/a.glb
convert  | a.glb          |      | convert in/small.skm out/a.glb
deform   | a.glb a.json   | each | deform in/walking.glb --preset breath --bake --shapes 1 -o out/a.glb --save out/a.json
info     |                |      | info in/muscles.glb in/walk.bvh --channels
map      | a.json         |      | map in/walk.bvh -o out/a.json
measure  | a.html         |      | measure in/walking.glb --source in/walk.bvh --mesh-frames 2 -o out/a.html
pack     | a.gtp          |      | pack in/muscles.glb out/a.gtp
info     |                |      | info in/muscles.gtp
plot     | a.svg          |      | plot in/walk.bvh -c hips.position.y -o out/a.svg
render   | a.png          |      | render in/walking.glb -o out/a.png --size 32x32 --quality draft
render   | a.gif          |      | render in/walking.glb -o out/a.gif --size 32x32 --quality draft --fps 2
retarget | a.glb          |      | retarget in/person.glb in/walk.bvh -o out/a.glb
retarget |                |      | retarget in/person.glb in/motions --no-report -o out/
rig      | a.glb          |      | rig in/bare.obj -o out/a.glb --weights rigid
rig      | a.glb          |      | rig in/bare.obj -o out/a.glb --weights heat
sample   | a.glb          |      | sample person --triangles 2000 -o out/a.glb
help     |                |      | help rig
version  |                |      | version
END
"$gertie" -q pack in/muscles.glb in/muscles.gtp

"$gertie" help | awk '/^Options/ { exit } /^  [a-z]/ { print $1 }' | sort >verbs
cut -d ' ' -f 1 runs | sort -u >tried
missing=$(comm -23 verbs tried | tr '\n' ' ')
[ -z "$missing" ] || { echo "FAIL: no run for: $missing" && exit 1; }

# The folder of results as it is before a run.
prepare() {
    rm -rf out
    mkdir out
    for file in $old; do
        printf 'precious' >"out/$file"
    done
}

# fail WHAT: of the run and call at hand
fault() {
    echo "FAIL: $line: $call $i: $1 (status $status)"
    sed 's/^/    /' said | head -n 5
    faults=$((faults + 1))
}

total=0 faults=0 number=0
while IFS='|' read -r _ old kind line; do
    number=$((number + 1))
    case ${chosen- $number } in *" $number "*) ;; *) continue ;; esac
    line=$(echo "$line" | sed 's/^ *//')
    kind=$(echo "$kind" | tr -d ' ')
    case $line in
    render*.gif*) command -v ffmpeg >/dev/null || continue ;;
    esac
    prepare
    # shellcheck disable=SC2086  # words of the line
    if ! FAIL_COUNT=$work/counts LD_PRELOAD=$shim "$gertie" $line >printed 2>said; then
        grep -q 'no graphics\|cannot draw\|OpenGL' said && continue
        echo "FAIL: $line" && cat said && exit 1
    fi
    grep -q '^malloc [1-9]' counts || { echo "FAIL: $line: the shim counts nothing" && exit 1; }
    rm -rf good
    mv out good
    cp printed wanted
    while read -r call count; do
        [ "$call" = library ] && share=$most_library || share=$most
        step=$(((count + share - 1) / share))
        i=1
        while [ "$i" -le "$count" ]; do
            prepare
            status=0
            # shellcheck disable=SC2086
            timeout 60 env FAIL_CALL="$call:$i" LD_PRELOAD="$shim" "$gertie" $line >printed 2>said || status=$?
            total=$((total + 1))
            errors=$(grep -c '^error: ' said || true)
            case $status in
            0)
                rm -f good/.gertie-batch out/.gertie-batch # which has times
                if ! diff -rq good out >differs 2>&1 || ! cmp -s printed wanted; then
                    grep -q '^warning: ' said || fault "other results: $(head -n 1 differs)"
                fi
                [ "$errors" -eq 0 ] || fault "an error is said of what went well"
                ;;
            1)
                [ "$errors" -eq 1 ] || fault "$errors errors are said"
                mv out left
                prepare
                case $line in
                *"-o out/") rm -f left/.gertie-batch ;;
                esac
                if [ "$kind" = each ]; then # files that do not name each other: each is old or new, and whole
                    for file in $old; do
                        ! cmp -s "left/$file" "good/$file" || cp "good/$file" out
                    done
                fi
                diff -rq out left >differs 2>&1 || fault "files have changed: $(head -n 1 differs)"
                rm -rf left
                ;;
            *) fault "it must end with 0 or 1" ;;
            esac
            i=$((i + step))
        done
    done <counts
    rm -f counts
done <runs
echo "$total failures in $number runs, $faults faults"
[ "$faults" -eq 0 ]
