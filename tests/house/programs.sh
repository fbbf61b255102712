#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the examples that need a file or two, and looks at what they say. Those for any humanoid get one whose joints have
# neither names nor a map. package.sh calls it for each way of building them.
# usage: programs.sh ROOT GERTIE BUILT SAMPLE, the built examples and a folder of `gertie sample` with walk.glb in it

# shellcheck disable=SC2016  # $1 and the like are fields of awk

set -eu
root=$1 gertie=$2 built=$3 sample=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME ARGUMENT...: what it prints is in $work/said
run() {
    name=$1
    shift
    "$built/$name" "$@" >"$work/said" 2>"$work/log" && return
    cat "$work/said" "$work/log"
    echo "FAIL: $name $*"
    exit 1
}

# expect CONDITION: of awk, over what was said
expect() {
    awk "$1" "$work/said" && return
    cat "$work/said"
    echo "FAIL: $name: $1"
    exit 1
}

"$gertie" -q retarget "$sample/person.glb" "$sample/walk.bvh" "$sample/run.bvh" -o "$work/both.gltf"
sed 's/GERTIE_humanoid/OTHER_humanoid/' "$work/both.gltf" | awk '
    /^  "nodes": / { inside = 1 }
    /^  \]/ { inside = 0 }
    inside && /^      "name": / { $0 = "      \"name\": \"bone_" count++ "\"," }
    { print }' >"$work/nameless.gltf"
grep -q '"bone_54"' "$work/nameless.gltf" || { echo "FAIL: no joint was renamed" && exit 1; }

# Four strides are 6.16 m in 4.4 s of the walk, 9.46 m in 2.867 s of the run: mixed in step, as eased, 13.8 m in 6 s.
run blend "$work/nameless.gltf" "$work/blended.glb"
expect '{ exit !($1 > 13.6 && $1 < 14) }'
run blend "$work/nameless.gltf" "$work/blended.glb" run walk
expect '{ exit !($1 > 13.6 && $1 < 14.6) }'
run reach "$work/nameless.gltf" "$work/reach.glb"
expect '/^91 frames/ { ok = $9 < 0.2 } END { exit !ok }'
run touch "$work/nameless.gltf" "$work/touch.glb"
# 24 joints are mirrored by 24: arms, legs, eyes and fingers.
run pose "$work/nameless.gltf" "$work/pose.glb"
expect '/have a partner/ { ok = $1 == 48 } /mirrored/ { ok = ok && $1 > 250 && $6 == 100 } END { exit !ok }'
run motions "$work/nameless.gltf" "$work/gestures.glb" gesture
expect '{ named = named || $1 == "shake_head"; bad += $2 < 1 } END { exit bad || !named || NR != 7 }'
for file in blended reach touch pose gestures; do
    "$gertie" -q convert "$work/$file.glb" "$work/again.glb" --strict
done

# A foot every stride, each in its turn, and the way that the speed asks for, within a tenth.
"$gertie" -q pack "$work/nameless.gltf" "$work/both.gtp"
run gait "$work/both.gtp" walk run
expect '
    / foot, / { bad += $3 == last; last = $3; ++steps }
    / wanted$/ { ok = $1 > 0.9 * $6 && $1 < 1.1 * $6 }
    END { exit bad || !ok || steps < 12 || steps > 16 }'
# A page with one mesh, its shader and a pose for each frame of the walk: 4.4 s, 30 a second.
run shader "$work/both.gtp"
expect '
    /^const rate = 30, frames = 13[0-9], sets = 1, width = 2048;$/ { frames = 1 }
    /^GertieVertex gertieDeform\(/ { shader = 1 }
    /^ poses: / { ++meshes; large = length($0) > 100000 }
    END { exit !(frames && shader && meshes == 1 && large) }'
# The tip goes round a circle of 0.5 m, 0.8 m ahead; the program itself judges limits and misses.
run tail
expect '{ r = sqrt($1 * $1 + $2 * $2); bad += r < 0.498 || r > 0.502 || $3 < 0.798 || $3 > 0.802 }
    END { exit bad || NR != 24 }'

# Three channels for each of 56 nodes; an address in full is what it was.
run channels "$sample/walk.glb"
expect 'END { exit NR != 168 }'
run channels "$sample/walk.glb" leftFoot.translation.y
expect '{ exit !($1 == "translation" && $2 == "leftFoot.translation.y") }'
run make_scene "$work/card.glb"
"$gertie" --json info "$work/card.glb" >"$work/said"
expect '/"spin"/ { spins = 1 } END { exit !spins }'

# Heels and balls of both feet, each in eight places of the walk at most, and never all in the air.
"$gertie" -q contacts "$sample/walk.bvh" -o "$work/contacts.json"
run footsteps "$work/contacts.json"
expect '{ for (i = 1; i <= length($2); ++i) down[i] += substr($2, i, 1) == "#"; width = length($2) }
    END { for (i = 1; i <= width; ++i) bad += !down[i]; exit bad || NR != 4 || width < 80 }'

# Bodies that are a tenth taller and a tenth wider: shapes that move a vertex by a tenth of 1.75 m, and half of both.
"$gertie" -q convert "$sample/person.glb" "$work/person.obj" 2>/dev/null
awk '$1 == "v" { $3 *= 1.1 } { print }' "$work/person.obj" >"$work/jawOpen.obj"
awk '$1 == "v" { $2 *= 1.1 } { print }' "$work/person.obj" >"$work/eyeBlinkLeft.obj"
run shapes "$sample/person.glb" "$work/shaped.glb" "$work/jawOpen.obj" "$work/eyeBlinkLeft.obj"
expect '{ exit !($1 == 3 && $(NF - 1) > 0.174 && $(NF - 1) < 0.176) }'
run shapes "$sample/person.glb" "$work/again.glb" "$work/shaped.glb"
expect '{ exit $1 != 3 }'
run face "$work/shaped.glb"
expect '/^it has eyeBlinkLeft, but no eyeBlinkRight$/ { lacks = 1 } /^2 of 52 shapes/ { two = 1 }
    /^control:blinkLeft$/ { blinks = 1 } END { exit !(lacks && two && blinks) }'

# Three pictures side by side or below each other, and room around them.
run sheet "$work/sheet.png" "$root/docs/images/reach.png" "$root/docs/images/blend.png" "$root/docs/images/reach.png"
expect '{ exit !($1 * $3 > 3 * 100 * 100) }'
