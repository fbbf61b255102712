#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs Gertie, moves the installed tree, and uses it as a stranger would: the examples are built against it by CMake
# and by pkg-config, static and shared, and run; every header is included alone, in C and in C++.
# usage: package.sh ROOT BUILD

set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() {
    echo "-- $*"
    "$@" >"$work/log" 2>&1 && return
    cat "$work/log"
    echo "FAIL: $*"
    exit 1
}

step cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved"
prefix=$work/moved
for file in bin/gertie share/man/man1/gertie.1 share/bash-completion/completions/gertie; do
    [ -s "$prefix/$file" ] || { echo "FAIL: $file was not installed" && exit 1; }
done
step bash -n "$prefix/share/bash-completion/completions/gertie"
pc_dir=$(dirname "$(find "$prefix" -name gertie-runtime.pc)")
lib_dir=$(dirname "$pc_dir")

for header in "$prefix"/include/gertie/*.h; do
    echo "#include <gertie/$(basename "$header")>" | tee "$work/include.c" >"$work/include.cc"
    step cc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include" "$work/include.c"
    step c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include" "$work/include.cc"
done

for shared in OFF ON; do
    step cmake -S "$root/examples" -B "$work/cmake-$shared" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=$shared
    step cmake --build "$work/cmake-$shared"
done

export PKG_CONFIG_PATH="$pc_dir" LD_LIBRARY_PATH="$lib_dir"
mkdir "$work/pc-static" "$work/pc-shared"
for example in play:gertie-scene runtime_only:gertie-runtime; do
    name=${example%:*} library=${example#*:}
    # shellcheck disable=SC2046  # pkg-config gives words
    step cc -std=c17 -O2 -o "$work/pc-shared/$name" "$root/examples/$name.c" \
        $(pkg-config --cflags --libs "$library") -lm
    # shellcheck disable=SC2046
    step cc -std=c17 -O2 -static -o "$work/pc-static/$name" "$root/examples/$name.c" \
        $(pkg-config --static --cflags --libs "$library")
done

# The tip of a 1 m bone that turns by 90 degrees in a second about its joint at (0, 1): (-sin, 1 + cos).
cat >"$work/expected" <<'END'
0.00 s: the tip is at (0.000, 2.000)
0.25 s: the tip is at (-0.383, 1.924)
0.50 s: the tip is at (-0.707, 1.707)
0.75 s: the tip is at (-0.924, 1.383)
1.00 s: the tip is at (-1.000, 1.000)
END
step "$prefix/bin/gertie" sample -o "$work/sample"
step "$prefix/bin/gertie" animate "$work/sample/person.glb" "$work/sample/walk.bvh" -o "$work/sample/walk.glb"
for kind in cmake-OFF cmake-ON pc-static pc-shared; do
    "$work/$kind/runtime_only" | sed 's/-0\.000/0.000/' >"$work/said"
    step diff "$work/expected" "$work/said"
    step "$work/$kind/play" "$work/sample/walk.glb"
    mv "$work/log" "$work/$kind/played"
    step cmp "$work/cmake-OFF/played" "$work/$kind/played"
done
step "$prefix/bin/gertie" pack "$work/sample/walk.glb" "$work/walk.gtp"
for mapped in "$work/cmake-OFF/mapped" "$work/cmake-ON/mapped"; do
    "$mapped" "$work/walk.gtp" >"$work/said"
    grep -q ' at 4\.[0-9]* s: vertex 0 is at (' "$work/said" || { cat "$work/said" && echo "FAIL: mapped" && exit 1; }
done
# Forearms that are twisted by 160 degrees: weights wring half a litre out of them, a harmonic skin a tenth.
step "$prefix/bin/gertie" pack "$work/sample/walk.glb" "$work/harmonic.gtp" --method harmonic
for harmonic in "$work/cmake-OFF/harmonic" "$work/cmake-ON/harmonic"; do
    "$harmonic" "$work/harmonic.gtp" >"$work/said"
    "$harmonic" "$work/walk.gtp" >>"$work/said"
    # shellcheck disable=SC2016  # fields of awk
    step awk '{ volume[NR] = $(NF - 1) }
        END { exit !(NR == 10 && volume[1] - volume[5] < 0.2 && volume[6] - volume[10] > 0.4 && volume[5] > 50) }' \
        "$work/said"
done
# Muscles and flesh move the skin by some millimetres in a walk; an arm that is told to flex by more.
step "$prefix/bin/gertie" deform "$work/sample/walk.glb" --preset muscles,jiggle -o "$work/sculpted.glb"
step "$prefix/bin/gertie" pack "$work/sculpted.glb" "$work/sculpted.gtp"
for live in "$work/cmake-OFF/live" "$work/cmake-ON/live"; do
    "$live" "$work/sculpted.gtp" control:leftBiceps=1 section:rightUpperArm=1 >"$work/said"
    # shellcheck disable=SC2016  # fields of awk
    step awk '/lattices move/ { ++count; if ($(NF - 1) > 2 && $(NF - 1) < 100) ++good }
        END { exit !(count == 9 && good == 9) }' "$work/said"
done
"$work/cmake-ON/layers" squat 1.4 >"$work/layers.obj"
step "$prefix/bin/gertie" info "$work/layers.obj"
for strip in "$work/cmake-OFF/filmstrip" "$work/cmake-ON/filmstrip"; do
    "$strip" "$work/sample/walk.glb" >"$work/strip.svg"
    [ "$(grep -c '<g transform' "$work/strip.svg")" -eq 8 ] || { echo "FAIL: the film strip is short" && exit 1; }
done
# A C program draws the same pictures as the command, where something can draw and films can be encoded.
if "$prefix/bin/gertie" render -q "$work/sample/person.glb" -o "$work/probe.png" --size 16x16; then
    for render in "$work/cmake-OFF/render" "$work/cmake-ON/render"; do
        step "$render" "$work/sample/walk.glb" "$work/drawn.png"
        step "$prefix/bin/gertie" render "$work/sample/walk.glb" -o "$work/wanted.png"
        step cmp "$work/wanted.png" "$work/drawn.png"
        step "$render" "$work/sample/walk.glb" "$work/drawn.png" 4
        step "$prefix/bin/gertie" render "$work/sample/walk.glb" -o "$work/wanted.png" --sheet 4
        step cmp "$work/wanted.png" "$work/drawn.png"
    done
    "$work/cmake-ON/look" "$work/sample/walk.glb" >"$work/said" # a figure two thirds as high as the picture
    # shellcheck disable=SC2016  # fields of awk
    step awk '/[^ ]/ { ++rows } END { exit !(NR == 32 && rows > 20 && rows < 32) }' "$work/said"
    step "$prefix/bin/gertie" clip "$work/sample/wave.bvh" -o "$work/short.bvh" --to 0.5
    if command -v ffmpeg >/dev/null; then
        step "$work/cmake-ON/render" "$work/short.bvh" "$work/drawn.gif"
        step "$prefix/bin/gertie" render "$work/short.bvh" -o "$work/wanted.gif"
        step cmp "$work/wanted.gif" "$work/drawn.gif"
    fi
fi
for pendulum in "$work/cmake-OFF/pendulum" "$work/cmake-ON/pendulum"; do
    "$pendulum" >"$work/swung"
    # shellcheck disable=SC2016  # fields of awk
    step awk '
        function off(a, b, by) { if (a - b > by || b - a > by) { print "FAIL: frame", NR - 1, "has", a, "for", b; bad = 1 } }
        {
            angle = 0.3 * sin(3.14159265 * (NR - 1) / 8)
            tired = angle * exp(-0.25 * (NR - 1) / 8)
            off($1, angle, 1e-4); off($2, angle, 0.006); off($3, tired, 1e-4)
            off($4, tired < 0 ? 0 : tired > 0.2 ? 1 : 5 * tired, 5e-4)
            off($5, 0.3 * 3.14159265 * cos(3.14159265 * (NR - 1) / 8), 0.05)
        }
        END { exit bad || NR != 25 }' "$work/swung"
done
# Whatever is on the upper side of the lattice goes up by as much; a subdivision surface ends below its cage.
cat >"$work/expected" <<'END'
polygons: top from 1.000 to 1.500
subdivision surface: top from 0.827 to 1.218
NURBS curve: top from 1.000 to 1.500
END
for lattice in "$work/cmake-OFF/lattice" "$work/cmake-ON/lattice"; do
    "$lattice" >"$work/said"
    step diff "$work/expected" "$work/said"
done
for curves in "$work/cmake-OFF/curves" "$work/cmake-ON/curves"; do
    step "$curves" "$work/curves.svg"
    step cmp "$root/docs/images/curves.svg" "$work/curves.svg"
done
step "$prefix/bin/gertie" retarget "$work/sample/person.glb" "$work/sample/walk.bvh" "$work/sample/run.bvh" \
    -o "$work/both.glb"
for crowd in "$work/cmake-OFF/crowd" "$work/cmake-ON/crowd"; do
    "$crowd" "$work/both.glb" >"$work/said"
    grep -q '^1000 members' "$work/said" || { cat "$work/said" && echo "FAIL: crowd" && exit 1; }
done
for kind in cmake-OFF cmake-ON; do
    step sh "$root/tests/house/programs.sh" "$root" "$prefix/bin/gertie" "$work/$kind" "$work/sample"
done
# A bare scan takes a motion in one call; what comes out is measured, retargeted pose by pose and given muscles.
step "$prefix/bin/gertie" sample person --bare --triangles 4000 -o "$work/scan.obj"
for kind in cmake-OFF cmake-ON; do
    "$work/$kind/animate" "$work/scan.obj" "$work/sample/walk.bvh" "$work/$kind/animated.glb" >"$work/said"
    step grep '^rigged; [0-9]* joints follow the motion for 4\.[0-9]* s$' "$work/said"
    "$work/$kind/rig" "$work/scan.obj" "$work/$kind/rigged.glb" >"$work/said"
    step grep '^leftLowerArm ' "$work/said"
    "$work/$kind/retarget" "$work/$kind/rigged.glb" "$work/sample/walk.bvh" >"$work/said"
    [ "$(grep -c ' s: left hand (' "$work/said")" -eq 5 ] || { cat "$work/said" && echo "FAIL: retarget" && exit 1; }
    "$work/$kind/measure" "$work/sample/walk.glb" "$work/sample/walk.bvh" >"$work/said"
    # shellcheck disable=SC2016  # fields of awk
    step awk '/ foot: slides/ { ++feet; bad += $4 > 5 } END { exit feet != 2 || bad }' "$work/said"
    "$work/$kind/sections" "$work/sample/walk.glb" "$work/$kind/muscles.glb" >"$work/said"
    # shellcheck disable=SC2016  # fields of awk
    step awk '/sections, baked as/ { ok = $1 > 4 && $7 < 1 } END { exit !ok }' "$work/said"
    mkdir -p "$work/$kind/moves"
    cp "$work/sample/walk.bvh" "$work/sample/wave.bvh" "$work/$kind/moves"
    "$work/$kind/batch" "$work/sample/person.glb" "$work/$kind/moves" "$work/$kind/clips/" >"$work/said"
    step grep '^2 of 2 motions done in .* s, 0 of them before$' "$work/said"
    "$work/$kind/batch" "$work/sample/person.glb" "$work/$kind/moves" "$work/$kind/clips/" >"$work/said"
    step grep '^2 of 2 motions done in .* s, 2 of them before$' "$work/said"
    "$work/$kind/options" feet=warp speed=2 >"$work/said"
    step grep '^speed  *2 ' "$work/said"
done
cat "$work/cmake-OFF/played"
# Eight frames; feet near the ground, a head at the height of a person, and a walk that moves.
awk '
    / s: from / {
        ++frames
        gsub(/[(),]/, "")
        if (!($5 > -0.1 && $5 < 0.1)) { print "FAIL: lowest point at", $5; bad = 1 }
        if (!($9 > 1.2 && $9 < 2.2)) { print "FAIL: highest point at", $9; bad = 1 }
        box = $4 " " $5 " " $6 " " $8 " " $9 " " $10
        moved += frames > 1 && box != last
        last = box
    }
    END { if (frames != 8 || moved != 7) { print "FAIL:", frames, "frames,", moved, "of them new"; bad = 1 } exit bad }
' "$work/cmake-OFF/played"
