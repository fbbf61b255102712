#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# A strong one shows his muscles: the plain skin, the preset `muscles`, and what flex.deform.json says, side by side.
# usage: examples/flex.sh [FOLDER]    GERTIE is the command, gertie where it is not set

set -eu
gertie=${GERTIE:-gertie}
files=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-.}"
cd "${1:-.}"
"$gertie" sample person --build muscular --sex 1 -o strong.glb
"$gertie" sample flex -o flex.bvh
"$gertie" animate strong.glb flex.bvh -o skin.glb
"$gertie" deform skin.glb --preset muscles -o muscles.glb
"$gertie" deform skin.glb --with "$files/flex.deform.json" -o pumped.glb
"$gertie" render skin.glb muscles.glb pumped.glb -o flex.mp4 --camera front --focus chest --size 1280x420
"$gertie" render muscles.glb -o mirror.mp4 --mirror --camera front --focus spine
