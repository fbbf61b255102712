#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows that rooms.sh can fail: plants one wrong include at a time in a small house and wants it named.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failures=0

# plant FILE INCLUDE EXPECTED: EXPECTED is a part of the complaint, or empty where the include is allowed
plant() {
    rm -rf "${house:?}"/*
    mkdir -p "$house/src/base" "$house/include/gertie" "$house/cli" "$house/$(dirname "$1")"
    echo '#include "gertie/api.h"' >"$house/src/base/fine.c"
    printf '#include <stdio.h>\n  # include "%s"\n' "$2" >"$house/$1"
    said=$(sh "$here/rooms.sh" "$house") && status=0 || status=1
    case $status:$said in
    0:*)
        [ -z "$3" ] && return
        echo "FAIL: $1 includes $2 and nobody complained"
        ;;
    1:*"$1:2: $3"*)
        [ -n "$3" ] && return
        echo "FAIL: $1 includes $2, which is allowed, but: $said"
        ;;
    *) echo "FAIL: $1 includes $2: wanted '$3', got: $said" ;;
    esac
    failures=$((failures + 1))
}

plant src/base/a.c runtime/skin.h "base may not reach runtime/skin.h"
plant src/base/a.c gertie/clip.h "base may not reach gertie/clip.h, which belongs to runtime"
plant src/runtime/a.h scene/scene.h "runtime may not reach scene/scene.h"
plant src/build/a.c io/format.h "build may not reach io/format.h"
plant src/scene/a.c gertie/character.h "scene may not reach gertie/character.h"
plant src/scene/a.c gertie/gertie.h "only programs include"
plant src/scene/a.c gertie/runtime.h "only programs include"
plant include/gertie/runtime.h gertie/scene.h "gertie/scene.h is no header of libgertie-runtime"
plant include/gertie/scene_library.h gertie/runtime.h ""
plant src/scene/a.c ../base/memory.h "\"../base/memory.h\": write"
plant src/scene/a.c memory.h "scene may not reach memory.h"
plant src/scene/a.c gertie/nonsense.h "gertie/nonsense.h belongs to no room"
plant include/gertie/clip.h gertie/scene.h "runtime may not reach gertie/scene.h"
plant include/gertie/clip.h base/memory.h "a public header includes the private"
plant cli/a.c scene/scene.h "cli may not reach the private"
plant src/person/a.c base/memory.h ""
plant src/build/a.c data/json.h "build may not reach data/json.h"
plant src/motion/a.c runtime/clip/clip.h ""
plant src/io/a.c data/json.h ""
plant cli/a.c gertie/gertie.h ""
plant cli/a.c options.h ""
plant cli/a.c cli/options.h ""

# A private type name that is used twice is named.
rm -rf "${house:?}"/*
mkdir -p "$house/src/base" "$house/src/scene" "$house/include/gertie" "$house/cli"
printf '#include "gertie/api.h"\ntypedef struct GtiThing {\n    int a;\n} GtiThing;\n' >"$house/src/base/a.h"
said=$(sh "$here/rooms.sh" "$house") || { echo "FAIL: one type was called two: $said" && failures=$((failures + 1)); }
cp "$house/src/base/a.h" "$house/src/scene/a.h"
said=$(sh "$here/rooms.sh" "$house") && failures=$((failures + 1))
case $said in
*"src/scene/a.h:4: the private type GtiThing is defined a second time; the first is in src/base/a.h"*) ;;
*) echo "FAIL: a type of two definitions was not named: $said" && failures=$((failures + 1)) ;;
esac

# A public header that does not say its library is named, and an umbrella header that lacks one.
rm -rf "${house:?}"/*
mkdir -p "$house/src" "$house/include/gertie" "$house/cli"
printf '\n\n\n/// @file\n/// libgertie-runtime: clips.\n' >"$house/include/gertie/clip.h"
printf '\n\n\n/// @file\n/// libgertie-scene: scenes.\n' >"$house/include/gertie/scene.h"
printf '#include "gertie/clip.h"\n' >"$house/include/gertie/runtime.h"
printf '#include "gertie/runtime.h"\n#include "gertie/scene.h"\n' >"$house/include/gertie/scene_library.h"
said=$(sh "$here/rooms.sh" "$house") || { echo "FAIL: whole umbrellas were refused: $said" && failures=$((failures + 1)); }
printf '\n\n\n/// @file\n/// libgertie-runtime: scenes.\n' >"$house/include/gertie/scene.h"
printf '#include "gertie/api.h"\n\n\n/// Umbrella.\n' >"$house/include/gertie/runtime.h"
printf '#include "gertie/scene.h"\n' >"$house/include/gertie/scene_library.h"
said=$(sh "$here/rooms.sh" "$house") && failures=$((failures + 1))
for wanted in "include/gertie/scene.h:5: say the library first: /// libgertie-scene: ..." \
    "include/gertie/runtime.h:4: the fourth line is /// @file" "include/gertie/runtime.h: lacks gertie/clip.h" "include/gertie/scene_library.h: lacks gertie/runtime.h"; do
    case $said in
    *"$wanted"*) ;;
    *) echo "FAIL: wanted '$wanted', got: $said" && failures=$((failures + 1)) ;;
    esac
done

# Rooms and public headers that the table does not know are named too.
mkdir -p "$house/src/attic"
echo >"$house/src/attic/a.c"
echo >"$house/include/gertie/nonsense.h"
said=$(sh "$here/rooms.sh" "$house") && failures=$((failures + 1))
case $said in
*"room attic is not in rooms.txt"*) ;;
*) failures=$((failures + 1)) && echo "FAIL: an unknown room went unnoticed" ;;
esac
case $said in
*"no room in rooms.txt owns this public header"*) ;;
*) failures=$((failures + 1)) && echo "FAIL: an unknown public header went unnoticed" ;;
esac

rm -rf "${house:?}"/*
mkdir -p "$house/src" "$house/include" "$house/cli"
if sh "$here/rooms.sh" "$house"; then
    failures=$((failures + 1))
    echo "FAIL: an empty house passed"
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
