#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Draws the pictures of the documentation anew, with 160 colours each, so that they stay small.
# usage: make.sh GERTIE [LAYERS], where LAYERS is the built examples/layers.c

set -eu
gertie=$(realpath "$1")
images=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# shrink IN OUT: a PNG with a palette.
shrink() {
    ffmpeg -v error -y -i "$1" -pred mixed -fflags +bitexact -flags:v +bitexact -vf \
        'split[a][b];[a]palettegen=max_colors=160:reserve_transparent=0[p];[b][p]paletteuse=dither=none' "$2"
}

"$gertie" sample -q -o .
"$gertie" animate -q person.glb walk.bvh -o walk.glb
"$gertie" render -q walk.glb -o sheet.png --sheet 5 --to 1.1 --size 180x220
shrink sheet.png "$images/render.png"
"$gertie" render -q walk.glb -o gait.png --sheet 10 --to 0.99 --size 180x220 --camera follow-side
shrink gait.png "$images/gait.png"

# Nine motions of the library, three moments each, three in a row.
set --
for name in walk_relaxed walk_sneak run_start sit_down pick_up stretch jump_forward clap shrug; do
    "$gertie" animate -q person.glb $name -o $name.glb
    "$gertie" render -q $name.glb -o library_$name.png --sheet 3 --size 120x160 --no-ground --background white
    set -- "$@" -i library_$name.png
done
ffmpeg -v error -y "$@" -filter_complex '[0][1][2]hstack=3[a];[3][4][5]hstack=3[b];[6][7][8]hstack=3[c];[a][b][c]vstack=3' library.png
shrink library.png "$images/library.png"

# Skeletons in bare meshes.
"$gertie" sample -q person --bare --pose A --build heavy --noise 0.002 --holes 8 -o scan.ply
"$gertie" sample -q person --bare --height 1.1 --seed 9 -o child.ply
for body in scan child; do
    "$gertie" rig -q $body.ply -o $body.glb --preview $body.png
done
ffmpeg -v error -y -i scan.png -i child.png -filter_complex hstack=2,scale=1200:-1 rig.png
shrink rig.png "$images/rig.png"

# An arm that twists, by two skins.
"$gertie" animate -q person.glb twist.bvh -o twist.glb
for skin in linear dual-quaternion; do
    "$gertie" render -q twist.glb -o whole.png --skin $skin --time 2 --camera front --size 2400x1500 --no-ground \
        --background white
    ffmpeg -v error -y -i whole.png -vf 'crop=640:220:1300:230' $skin.png
done
ffmpeg -v error -y -i linear.png -i dual-quaternion.png -filter_complex hstack=2,scale=1000:-1 skins.png
shrink skins.png "$images/skins.png"

# A clenched fist and a bent wrist of a bare scan: joints are turned in the text of the file.
"$gertie" sample -q person --bare -o bare.ply
"$gertie" rig -q bare.ply -o bare.gltf
sed -E -e 's/"name": "leftThumb[A-Z][a-z]+",/"rotation": [0.345, 0.273, -0.238, 0.866], &/' \
    -e 's/"name": "leftIndex[A-Z][a-z]+",/"rotation": [0.087, -0.013, -0.702, 0.707], &/' \
    -e 's/"name": "leftMiddle[A-Z][a-z]+",/"rotation": [0.014, -0.015, -0.707, 0.707], &/' \
    -e 's/"name": "leftRing[A-Z][a-z]+",/"rotation": [-0.072, -0.017, -0.703, 0.707], &/' \
    -e 's/"name": "leftLittle[A-Z][a-z]+",/"rotation": [-0.173, -0.02, -0.685, 0.707], &/' bare.gltf >fist.gltf
sed -e 's/"name": "leftHand",/"rotation": [0, 0, -0.6428, 0.766], &/' bare.gltf >wrist.gltf
"$gertie" render -q fist.gltf -o fist.png --focus leftHand --size 500x400 --no-ground --background white --angle 60 \
    --elevation -10
"$gertie" render -q wrist.gltf -o wrist.png --focus leftHand --size 500x400 --no-ground --background white
ffmpeg -v error -y -i fist.png -i wrist.png -filter_complex hstack=2 hands.png
shrink hands.png "$images/hands.png"

# Hands at ease, as fists and flat, from a motion without fingers: a T-pose.
awk '
function joint(depth, name, offset) {
    while (open > depth) { print "}"; --open }
    print (depth ? "JOINT " : "ROOT ") name "\n{\nOFFSET " offset
    print "CHANNELS 3 Zrotation Xrotation Yrotation"
    ++open
}
function tip(offset) { print "End Site\n{\nOFFSET " offset "\n}" }
BEGIN {
    print "HIERARCHY"
    joint(0, "Hips", "0 1 0"); joint(1, "Spine", "0 0.1 0"); joint(2, "Chest", "0 0.2 0"); joint(3, "Neck", "0 0.25 0")
    joint(4, "Head", "0 0.1 0"); tip("0 0.2 0")
    for (side = 1; side >= -1; side -= 2) {
        s = side > 0 ? "Left" : "Right"
        joint(3, s "Arm", side * 0.18 " 0.2 0"); joint(4, s "ForeArm", side * 0.28 " 0 0")
        joint(5, s "Hand", side * 0.26 " 0 0"); tip(side * 0.1 " 0 0")
    }
    for (side = 1; side >= -1; side -= 2) {
        s = side > 0 ? "Left" : "Right"
        joint(1, s "UpLeg", side * 0.1 " -0.05 0"); joint(2, s "Leg", "0 -0.43 0")
        joint(3, s "Foot", "0 -0.43 0"); tip("0 -0.07 0.15")
    }
    while (open) { print "}"; --open }
    printf "MOTION\nFrames: 2\nFrame Time: 1\n"
    for (f = 0; f < 2; ++f) { for (i = 0; i < 17; ++i) printf "0 0 0 "; print "" }
}' >handless.bvh
for pose in relaxed fist flat; do
    "$gertie" animate -q person.glb handless.bvh -o $pose.glb --hand-pose $pose --feet off
    for view in 20:10 60:-35; do
        "$gertie" render -q $pose.glb -o $pose${view#*:}.png --focus leftHand --size 300x260 --no-ground \
            --background white --angle ${view%:*} --elevation ${view#*:}
    done
done
ffmpeg -v error -y -i relaxed10.png -i fist10.png -i flat10.png -i relaxed-35.png -i fist-35.png -i flat-35.png \
    -filter_complex '[0][1][2]hstack=3[a];[3][4][5]hstack=3[b];[a][b]vstack' hand-poses.png
shrink hand-poses.png "$images/hand-poses.png"

# A forearm that twists and an elbow that bends, by weights and by harmonic fields.
"$gertie" animate -q person.glb boxing.bvh -o boxing.glb
for motion in twist boxing; do
    "$gertie" animate -q person.glb $motion.bvh -o ${motion}_harmonic.glb --method harmonic --bake frames
done
for scene in twist twist_harmonic; do
    "$gertie" render -q $scene.glb -o whole.png --time 2 --camera front --size 2400x1500 --no-ground --background white
    ffmpeg -v error -y -i whole.png -vf 'crop=640:220:1300:230' $scene.png
done
for scene in boxing boxing_harmonic; do
    "$gertie" render -q $scene.glb -o whole.png --time 0.3333 --camera front --size 1400x1400 --no-ground --background white
    ffmpeg -v error -y -i whole.png -vf 'crop=640:460:450:200' $scene.png
done
ffmpeg -v error -y -i twist.png -i twist_harmonic.png -i boxing.png -i boxing_harmonic.png -filter_complex \
    '[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack,scale=1000:-1' harmonic.png
shrink harmonic.png "$images/harmonic.png"

# A walk, its head and left arm turned by hand.
cat >look.json <<'END'
{ "gertie_keys": 1, "rotations": [
  { "joint": "head", "law": "kochanek-bartels", "keys": [
    { "time_s": 0.3, "rotation_deg": [0, 0, 0], "ease": [0.3, 0.3] }, { "time_s": 0.8, "rotation_deg": [0, 60, 0], "tension": 1 },
    { "time_s": 1.6, "rotation_deg": [0, -60, 0], "tension": 1 }, { "time_s": 2.1, "rotation_deg": [0, 0, 0] } ] },
  { "joint": "leftUpperArm", "keys": [
    { "time_s": 0.2, "rotation_deg": [0, 0, 0] }, { "time_s": 1.0, "rotation_deg": [0, 0, 100] } ] } ] }
END
"$gertie" animate -q person.glb walk.bvh -o look.glb --method harmonic --keys look.json
"$gertie" render -q look.glb -o look.png --sheet 6 --from 0.1 --to 2.1 --size 170x220 --camera follow
shrink look.png "$images/hand-keys.png"

# A mask with its shapes: at rest, a shape between rest and a smile, the smile, brows and mouth, smile and mouth together with what
# corrects them, and a blush that moves nothing.
cat >mask.awk <<'END'
function bump(x, y, at_x, at_y, wide, high,    r) {
    r = ((x - at_x) / wide) ^ 2 + ((y - at_y) / high) ^ 2
    return r < 1 ? (1 - r) ^ 2 : 0
}
BEGIN {
    n = 128
    for (i = 0; i < (n + 1) * (n + 1); ++i) {
        u = 2 * (i % (n + 1)) / n - 1; v = 2 * int(i / (n + 1)) / n - 1
        x = u * sqrt(1 - v * v / 2); y = v * sqrt(1 - u * u / 2); side = x < 0 ? -1 : 1
        z = 0.75 * sqrt(1 - x * x - y * y > 0 ? 1 - x * x - y * y : 0) + 0.16 * bump(x, y, 0, -0.02, 0.16, 0.3)
        z += 0.1 * bump(x, y, side * 0.34, 0.22, 0.2, 0.14) + 0.07 * bump(x, y, side * 0.34, 0.45, 0.26, 0.09)
        z += 0.06 * (bump(x, y, 0, -0.36, 0.34, 0.09) + bump(x, y, 0, -0.54, 0.34, 0.09)) - 0.1 * bump(x, y, 0, -0.45, 0.36, 0.06)
        corner = bump(x, y, side * 0.4, -0.42, 0.42, 0.4); low = bump(x, y, 0, -0.62, 0.45, 0.22)
        if (shape == "smile") { x += side * 0.06 * corner; y += 0.14 * corner; z += 0.03 * corner }
        if (shape == "half") { x += side * 0.08 * corner; y += 0.05 * corner }
        if (shape == "open") { y -= 0.16 * low; z -= 0.05 * low }
        if (shape == "fix") y -= 0.05 * low
        if (shape == "brows") y += 0.12 * bump(x, y, side * 0.34, 0.42, 0.32, 0.2)
        red = shape == "blush" ? 0.2 * bump(x, y, side * 0.52, -0.12, 0.42, 0.36) : 0
        printf "v %.6f %.6f %.6f %.4f %.4f %.4f\n", 0.085 * x, 0.1 * y, 0.1 * z, 0.72 + red / 2, 0.69 - red, 0.66 - red
    }
    print "v 0 0 -0.03 0.72 0.69 0.66"
    for (i = 1; i <= n * (n + 1); ++i) if (i % (n + 1)) printf "f %d %d %d %d\n", i, i + 1, i + n + 2, i + n + 1
    back = (n + 1) * (n + 1) + 1
    for (i = 0; i < n; ++i) {
        printf "f %d %d %d\nf %d %d %d\n", i + 2, i + 1, back, back - 1 - n + i, back - n + i, back
        printf "f %d %d %d\nf %d %d %d\n", i * (n + 1) + 1, (i + 1) * (n + 1) + 1, back, (i + 2) * (n + 1), (i + 1) * (n + 1), back
    }
}
END
for shape in rest smile half open fix brows blush; do
    awk -v shape=$shape -f mask.awk >$shape.obj
done
cat >mask.deform.json <<'END'
{ "gertie_deform": 1,
  "controls": [{ "name": "joy" }, { "name": "speech" }, { "name": "surprise" }, { "name": "shame" }],
  "shapes": [
    { "name": "smile", "from": "smile.obj", "driven_by": [{ "control": "joy" }] },
    { "name": "half", "from": "half.obj", "of": "smile", "at": 0.5 },
    { "name": "open", "from": "open.obj", "driven_by": [{ "control": "speech" }] },
    { "name": "brows", "from": "brows.obj", "driven_by": [{ "control": "surprise" }] },
    { "name": "blush", "from": "blush.obj", "driven_by": [{ "control": "shame" }] },
    { "name": "fix", "from": "fix.obj", "when": ["smile", "open"] }],
  "tracks": [
    { "channel": "control:joy", "law": "linear", "keys": [
      { "time_s": 0, "value": 0 }, { "time_s": 2, "value": 1 }, { "time_s": 3, "value": 0 }, { "time_s": 4, "value": 1 },
      { "time_s": 5, "value": 0.5 }] },
    { "channel": "control:speech", "law": "linear", "keys": [
      { "time_s": 2, "value": 0 }, { "time_s": 3, "value": 1 }, { "time_s": 4, "value": 1 }, { "time_s": 5, "value": 0 }] },
    { "channel": "control:shame", "law": "linear", "keys": [{ "time_s": 4, "value": 0 }, { "time_s": 5, "value": 1 }] },
    { "channel": "control:surprise", "law": "linear", "keys": [
      { "time_s": 2, "value": 0 }, { "time_s": 3, "value": 1 }, { "time_s": 4, "value": 0 }] }] }
END
"$gertie" convert -q rest.obj rest.glb
"$gertie" deform -q rest.glb --with mask.deform.json -o mask.glb
"$gertie" render -q mask.glb -o shapes.png --sheet 6 --camera front --no-ground --background white --size 200x230
shrink shapes.png "$images/shapes.png"

# How much four joints move the skin of one of them.
"$gertie" animate -q scan.glb kick.bvh -o kicking.glb
for joint in leftUpperArm chest rightUpperLeg rightLowerLeg; do
    "$gertie" render -q kicking.glb -o $joint.png --weights $joint --time 0.75 --camera three-quarter --no-ground \
        --background white --size 380x420
done
ffmpeg -v error -y -i leftUpperArm.png -i chest.png -i rightUpperLeg.png -i rightLowerLeg.png \
    -filter_complex hstack=4,scale=1200:-1 weights.png
shrink weights.png "$images/weights.png"

cell="--size 300x340 --background white"
# shellcheck disable=SC2086  # several words
{
    "$gertie" render -q walk.glb -o 1.png --time 0.25 --skeleton --axes $cell
    "$gertie" render -q walk.glb -o 2.png --time 0.25 --weights leftUpperLeg $cell
    "$gertie" render -q walk.glb -o 3.png --time 0.25 --onion 2 --onion-step 0.12 --camera side $cell
    "$gertie" render -q walk.glb -o 4.png --time 0.25 --point-lights --size 300x340
}
ffmpeg -v error -y -i 1.png -i 2.png -i 3.png -i 4.png -filter_complex hstack=4 overlays.png
shrink overlays.png "$images/overlays.png"

"$gertie" render -q walk.glb -o contacts.png --sheet 5 --from 1.1 --to 2.2 --size 220x260 --contacts
shrink contacts.png "$images/contacts.png"

# A walk, one that goes too fast for its legs, and that planted; ghosts show how a foot that stands slides.
"$gertie" contacts -q walk.bvh -o walk.json
awk '/^Frame Time/ { moves = 1; print; next } moves { $3 *= 1.4 } { print }' walk.bvh >skating.bvh
"$gertie" animate -q person.glb skating.bvh --feet off -o skating.glb
"$gertie" clip -q skating.glb --plant --contacts walk.json -o planted.glb
for clip in walk skating planted; do
    "$gertie" render -q $clip.glb -o full.png --time 2.44 --onion 2 --onion-step 0.1 --contacts-from walk.json \
        --camera side --size 1000x1000 --background white
    ffmpeg -v error -y -i full.png -vf 'crop=620:420:190:560,scale=400:-1' $clip.png
done
ffmpeg -v error -y -i walk.png -i skating.png -i planted.png -filter_complex hstack=3 planting.png
shrink planting.png "$images/planting.png"

awk 'BEGIN {
    for (k = -3; k < 14; ++k) {
        y = k > 1 ? 0.15 * (k - 1) : 0; z = 0.45 * k; above = y + (k > 0 ? 0.15 : 0)
        printf "v -1.2 %g %g\nv -1.2 %g %g\nv 1.2 %g %g\nv 1.2 %g %g\nf -4 -3 -2 -1\n", y, z, y, z + 0.45, y, z + 0.45, y, z
        printf "v -1.2 %g %g\nv -1.2 %g %g\nv 1.2 %g %g\nv 1.2 %g %g\nf -1 -2 -3 -4\n", y, z + 0.45, above, z + 0.45, above, z + 0.45, y, z + 0.45
    }
}' >stairs.obj
"$gertie" animate -q person.glb walk.bvh -o stairs.glb --ground stairs.obj
"$gertie" render -q stairs.glb -o stairs.png --ground stairs.obj --sheet 5 --from 0.6 --to 3.2 --size 280x240 --camera side
shrink stairs.png "$images/stairs.png"

# Films: built-in motions and what they are on a person of another build.
"$gertie" sample person -q --seed 3 --height 1.45 --build heavy -o short.glb
mkdir -p "$images/films"
for motion in walk run turn kick boxing jump squat sit; do
    "$gertie" sample $motion -q -o $motion.bvh
    "$gertie" animate -q short.glb $motion.bvh -o $motion.glb
    "$gertie" render -q $motion.bvh $motion.glb --contacts -o "$images/films/$motion.gif" --size 320x200 --fps 10 --to 2.4 \
        --background white --no-ground --camera follow-side
done

# Films: a bare body bends by the weights of its rig, and beside that by harmonic fields.
"$gertie" sample -q person --bare --build muscular -o bare.ply
for motion in boxing kick squat; do
    for method in skin harmonic; do
        "$gertie" animate -q bare.ply $motion.bvh --method $method -o $method.glb
    done
    "$gertie" render -q skin.glb harmonic.glb -o "$images/films/harmonic-$motion.gif" --size 300x200 --fps 8 --to 2.4 \
        --background white --no-ground --camera follow
done

# Sections: elbows by linear skin and with the preset muscles; films of the tutorials.
examples=$images/../../examples
"$gertie" sample -q person --build muscular --sex 1 -o strong.glb
"$gertie" sample -q flex -o flex.bvh
"$gertie" animate -q strong.glb flex.bvh -o flex.glb
"$gertie" deform -q flex.glb --preset muscles -o muscles.glb
for scene in flex muscles; do
    "$gertie" render -q $scene.glb -o $scene.png --time 2 --camera front --focus leftUpperArm,rightUpperArm,head \
        --size 1500x470 --no-ground --background white
done
ffmpeg -v error -y -i flex.png -i muscles.png -filter_complex vstack=2,scale=900:-1 both.png
shrink both.png "$images/muscles.png"
film="--fps 10 --background white --no-ground"
# shellcheck disable=SC2086  # several words
{
    "$gertie" deform -q flex.glb --with "$examples/flex.deform.json" -o pumped.glb
    "$gertie" render -q flex.glb muscles.glb pumped.glb -o "$images/films/flex.gif" --size 560x170 --camera front --focus chest \
        --from 1.2 --to 5.4 --fps 8 --background white --no-ground
    "$gertie" sample -q person --build 2 --sex 1 -o heavy.glb
    "$gertie" sample -q drop -o drop.bvh
    "$gertie" animate -q heavy.glb drop.bvh -o drop.glb
    "$gertie" deform -q drop.glb --with "$examples/chair.deform.json" -o belly.glb
    "$gertie" render -q belly.glb -o "$images/films/chair.gif" --prop "$examples/chair.gltf" --size 280x240 --camera side \
        --from 1 --to 4.2 $film
    "$gertie" sample -q person --bare --seed 7 -o own.ply
    "$gertie" rig -q own.ply -o own.glb
    "$gertie" animate -q own.glb walk.bvh -o skin.glb
    "$gertie" deform -q skin.glb --with "$examples/newcomer.deform.json" -o sculpted.glb
    "$gertie" render -q skin.glb sculpted.glb -o "$images/films/newcomer.gif" --size 240x180 --from 1 --to 3 --camera follow-front $film
}

# People: the default, three of a crowd, and the mesh.
cell="--camera three-quarter --no-ground --background white --size 330x420"
# shellcheck disable=SC2086  # several words
{
    "$gertie" sample person -q --pose A -o 1.glb && "$gertie" render -q 1.glb -o 1.png $cell
    "$gertie" sample person -q --pose A --seed 3 -o 2.glb && "$gertie" render -q 2.glb -o 2.png $cell
    "$gertie" sample person -q --pose A --seed 4 -o 3.glb && "$gertie" render -q 3.glb -o 3.png $cell
    "$gertie" sample person -q --pose A --seed 7 -o 4.glb && "$gertie" render -q 4.glb -o 4.png $cell
    "$gertie" sample person -q --pose A --triangles 8000 -o 5.glb && "$gertie" render -q 5.glb -o 5.png $cell --wire
}
ffmpeg -v error -y -i 1.png -i 2.png -i 3.png -i 4.png -i 5.png -filter_complex hstack=5 people.png
shrink people.png "$images/people.png"

"$gertie" sample -q person --height 1.4 --build heavy -o heavy.glb
"$gertie" retarget -q person.glb kick.bvh -o kick.glb
"$gertie" retarget -q heavy.glb kick.bvh -o mirrored.glb --mirror
"$gertie" render -q kick.bvh kick.glb mirrored.glb -o retarget.png --sheet 4 --to 1.3 --size 300x240
shrink retarget.png "$images/retarget.png"

# One moment with the linear skin and with the skin of the layers.
if [ $# -gt 1 ]; then
    layers=$(realpath "$2")
    "$layers" boxing 0.15 linear >linear.obj
    "$layers" boxing 0.15 >layers.obj
    "$gertie" render -q linear.obj layers.obj -o both.png --size 2400x1500 --units m --up y --camera front
    ffmpeg -v error -y -i both.png -vf 'crop=1400:740:480:60,scale=900:-1' layers.png
    shrink layers.png "$images/layers.png"
fi

# Inverse kinematics: an example program, linked with the library beside the command.
cc -std=c17 -O2 -I "$images/../../include" -o reach "$images/../../examples/reach.c" \
    "$(dirname "$gertie")/libgertie.a" -lpng -ljpeg -lamd -lcamd -ldl -lm -pthread
./reach person.glb reach.glb
"$gertie" render -q reach.glb -o reach.png --sheet 5 --size 180x230 --camera three-quarter
shrink reach.png "$images/reach.png"

# A walk becomes a run: another example program.
"$gertie" retarget -q person.glb walk.bvh run.bvh -o both.glb
cc -std=c17 -O2 -I "$images/../../include" -o blend "$images/../../examples/blend.c" \
    "$(dirname "$gertie")/libgertie.a" -lpng -ljpeg -lamd -lcamd -ldl -lm -pthread
./blend both.glb blended.glb
"$gertie" render -q blended.glb --clip blend -o blend.png --sheet 8 --from 0.9 --to 5.2 --size 150x200 --camera follow-side
shrink blend.png "$images/blend.png"

# Laws of curves, by an example program that needs the whole library.
cc -std=c17 -O2 -I "$images/../../include" -o curves "$images/../../examples/curves.c" \
    "$(dirname "$gertie")/libgertie.a" -lpng -ljpeg -lamd -lcamd -ldl -lm -pthread
./curves "$images/curves.svg"

# Touches, kept and lost: the motion of an example program on a heavy person.
cc -std=c17 -O2 -I "$images/../../include" -o touch "$images/../../examples/touch.c" \
    "$(dirname "$gertie")/libgertie.a" -lpng -ljpeg -lamd -lcamd -ldl -lm -pthread
./touch person.glb motion.glb
"$gertie" sample -q person --height 1.5 --build heavy -o heavy.glb
"$gertie" retarget -q heavy.glb motion.glb -o without.glb
"$gertie" retarget -q heavy.glb motion.glb -o with.glb --keep-contacts
for file in motion without with; do
    for time in 1 2 3; do
        "$gertie" render -q $file.glb -o whole.png --time $time --camera front --no-ground --size 480x600
        ffmpeg -v error -y -i whole.png -vf 'crop=300:290:90:14' $file$time.png
    done
    ffmpeg -v error -y -i ${file}1.png -i ${file}2.png -i ${file}3.png -filter_complex hstack=3 $file.png
done
ffmpeg -v error -y -i motion.png -i without.png -i with.png -filter_complex vstack=3 touching.png
shrink touching.png "$images/touching.png"

# Arms through a very heavy body, and brought out of it.
"$gertie" sample -q person --build 2 -o heaviest.glb
for mode in off on; do
    "$gertie" animate -q heaviest.glb walk.bvh --collide $mode -o colliding.glb
    "$gertie" render -q colliding.glb -o colliding-$mode.png --time 0.5 --camera front --size 300x420
done
ffmpeg -v error -y -i colliding-off.png -i colliding-on.png -filter_complex hstack colliding.png
shrink colliding.png "$images/colliding.png"
