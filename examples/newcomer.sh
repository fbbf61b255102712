#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# From a bare mesh to a character with sections of its own: rig, animate, sculpt. Give a mesh to use yours.
# usage: examples/newcomer.sh [FOLDER [MESH]]    GERTIE is the command, gertie where it is not set

set -eu
gertie=${GERTIE:-gertie}
files=$(cd "$(dirname "$0")" && pwd)
mesh=${2:+$(realpath "$2")}
mkdir -p "${1:-.}"
cd "${1:-.}"
if [ -z "$mesh" ]; then
    mesh=own.ply
    "$gertie" sample person --bare --seed 7 -o "$mesh"
fi
"$gertie" rig "$mesh" -o rigged.glb
"$gertie" sample walk -o walk.bvh
"$gertie" animate rigged.glb walk.bvh -o skin.glb
"$gertie" deform skin.glb --with "$files/newcomer.deform.json" -o sculpted.glb
"$gertie" render skin.glb sculpted.glb -o newcomer.mp4 --camera follow-front
