#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Make captured.gtp, the captured motions of the library, from the CMU collection as BVH:
#
#   src/motions/captured/make.sh GERTIE CMU
#
# GERTIE is the command, CMU a folder of files such as 136_20.bvh. Each capture is carried over to the average person,
# cut, filtered, closed where it is a cycle, and planted; then all are packed, by the name they have in the library.
# Where only the format of packs has changed, the clips need not be made anew: `gertie convert captured.gtp all.glb` with
# the command before the change, and `gertie pack all.glb captured.gtp --tolerance 0.5` with the one after it.

set -eu
gertie=$1
from=$2
out=$(dirname "$0")/captured.gtp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME TRIAL FROM TO CUTOFF_HZ once|loop; times count from the first frame after the T-pose
motions() {
    cat <<END
walk_relaxed 142_13 3 9 8 loop
walk_happy 142_08 8 11.5 8 loop
walk_sad 142_15 24 31 8 loop
walk_sneak 142_22 2.4 11 8 loop
walk_crouch 136_09 4 9 8 loop
walk_backward 136_25 3 9 8 loop
sidestep 143_40 0.9 3.5 8 loop
walk_start 136_20 1.3 3.85 8 once
walk_stop 136_21 2.6 4.9 8 once
walk_turn_left 16_17 1 4.2 8 once
walk_turn_right 69_20 0.9 4.3 8 once
run_start 143_03 0.8 3 10 once
run_stop 143_02 0 3 10 once
bow 113_02 0.1 3.1 8 once
sit_down 143_18 0.2 2 8 once
stand_up 143_18 1.95 3.15 8 once
pick_up 137_27 5.1 6.95 8 once
jump_forward 16_05 0 2.4 10 once
stretch 143_30 0.5 3.05 8 once
jumping_jack 13_29 0 12 8 loop
END
}

"$gertie" sample -q person -o "$work/person.glb"
"$gertie" sample -q breathe -o "$work/joints.glb"
set --
while read -r name trial start end cutoff cycle; do
    option=
    [ "$cycle" = once ] || option=--loop
    [ -f "$work/$trial.glb" ] ||
        "$gertie" retarget -q "$work/person.glb" "$from/$trial.bvh" -o "$work/$trial.glb" --fps 60
    # shellcheck disable=SC2086 # no option or one
    "$gertie" clip -q "$work/$trial.glb" --from "$start" --to "$end" --cutoff "$cutoff" $option --plant \
        --name "$name" -o "$work/$name.glb"
    [ "$cycle" = once ] || # planting has opened the seam by a millimetre
        "$gertie" clip -q "$work/$name.glb" --loop-whole -o "$work/$name.glb"
    set -- "$@" "$work/$name.glb"
done <<END
$(motions)
END
"$gertie" retarget -q "$work/joints.glb" "$@" --feet off -o "$work/all.glb"
"$gertie" pack "$work/all.glb" "$out" --tolerance 0.5
