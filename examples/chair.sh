#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# A heavy one sits down on a chair that breaks, and his belly bounces on.
# usage: examples/chair.sh [FOLDER]    GERTIE is the command, gertie where it is not set

set -eu
gertie=${GERTIE:-gertie}
files=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-.}"
cd "${1:-.}"
"$gertie" sample person --build 2 --sex 1 -o heavy.glb
"$gertie" sample drop -o drop.bvh
"$gertie" animate heavy.glb drop.bvh -o skin.glb
"$gertie" deform skin.glb --with "$files/chair.deform.json" -o belly.glb
"$gertie" render belly.glb -o chair.mp4 --prop "$files/chair.gltf" --camera side --from 0.5 --to 4.5
