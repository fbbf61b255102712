#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# The examples of every help page work: each is run in a folder that holds what `gertie sample` writes, and files made of
# that with other verbs under the names that the examples use.
# usage: examples.sh ROOT BUILD

set -eu
build=$(cd "$2" && pwd)
PATH=$build:$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0 run=0 skipped=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

gertie sample -q -o .
gertie sample -q person --bare -o scan.obj
gertie animate -q person.glb walk.bvh -o hero.glb
gertie convert -q hero.glb hero.gltf
gertie sample -q person --bare -o scan.glb
gertie animate -q person.glb boxing.bvh --name Samba -o dancer.glb
cp walk.bvh raw.bvh
cp boxing.bvh dance.bvh
for copy in a b linear dual; do
    cp hero.glb $copy.glb
done
mkdir mocap cmu
cp wave.bvh kick.bvh mocap/
cp wave.bvh cmu/

# Why an example cannot be run here; empty where it can.
reason() {
    case $1 in
    *face.glb*) echo "no sample has a face" ;;
    *look.json*) echo "its keys are set by hand" ;;
    *"man -l"* | *less* | source*) echo "for a terminal" ;;
    *.mp4* | *.webm* | *.gif*) echo "films take long" ;;
    *jq*) command -v jq >/dev/null || echo "jq is not installed" ;;
    esac
}

for verb in $(gertie help | awk '/^Options/ { exit } /^  [a-z]/ { print $1 }'); do
    gertie help "$verb" | sed -n '/^Examples:/,$ s/^  \([^ ].*\)/\1/p' >examples.txt
    [ -s examples.txt ] || fail "$verb has no examples"
    while IFS= read -r example; do
        why=$(reason "$example")
        if [ -n "$why" ]; then
            echo "skipped: $example ($why)"
            skipped=$((skipped + 1))
        elif ! sh -c "$example" >out.txt 2>&1 </dev/null; then
            fail "$example"
            tail -3 out.txt
        else
            run=$((run + 1))
        fi
    done <examples.txt
done
echo "examples: $run run, $skipped skipped"
[ "$run" -ge 40 ] || fail "only $run examples were run"
[ "$failures" -eq 0 ]
