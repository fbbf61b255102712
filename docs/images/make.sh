#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Draws the pictures of the documentation anew, with 160 colours each, so that they stay small.
# usage: make.sh GERTIE

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
