#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows that sources.sh can fail: plants one fault at a time in a small tree and wants it named.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
licence='// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0'

# plant FILE TEXT EXPECTED: EXPECTED is a part of the complaint, or empty where there is nothing to complain about
plant() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/src/build" "$tree/docs"
    echo "[a](a.md)" >"$tree/docs/README.md"
    echo "text" >"$tree/docs/a.md"
    printf '%s\n' "$2" >"$tree/$1"
    said=$(sh "$here/sources.sh" "$tree") && status=0 || status=1
    case $status:$3:$said in
    0::*) return ;;
    1:?*:*"$1"*"$3"*) return ;;
    esac
    echo "FAIL: $1: wanted '$3', got: $said"
    failures=$((failures + 1))
}

plant src/build/a.c "$licence" ""
plant src/build/a.c "int a;" "names no \"SPDX-FileCopyrightText"
plant src/build/a.c "// SPDX-FileCopyrightText: The Gertie authors" "names no \"SPDX-License-Identifier"
plant run "echo" "names no \"SPDX"
plant a.md "See [this](src/build) and [that](https://example.org/x.md), [below](#below)." ""
plant a.md "See [this](src/nowhere.md)." "links to src/nowhere.md"
plant a.md "Look into /hom""e/gertie." "a place on one machine"
plant docs/b.md "Nobody links to me." "is not in the index"
plant a.json '{ "resolve''d": "x" }' "an address of a registry"

echo "$failures failures"
[ "$failures" -eq 0 ]
