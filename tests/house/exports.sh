#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# What the shared libraries show and need: they export gt_ names only, each holds every function that the public headers
# of its rooms declare, and the two smaller ones need nothing but the C library.
# usage: exports.sh ROOT BUILD

set -eu
root=$1 build=$2
rooms=$(dirname "$0")/rooms.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# declared ROOM...: the functions that the rooms' public headers mark for export.
declared() {
    for room in "$@"; do
        nouns=$(sed -n "s/^$room *|.*|//p" "$rooms")
        for noun in $nouns; do
            sed -n '/^GT_API/ s/^[^(]*[ *]\(gt_[a-z0-9_]*\)(.*/\1/p' "$root/include/gertie/$noun.h"
        done
    done | sort
}

# check LIBRARY ROOM...
check() {
    library=$1
    shift
    nm -D --defined-only "$build/lib$library.so" | awk '{ print $3 }' | sort >"$work/exported"
    declared "$@" >"$work/declared"
    [ -s "$work/declared" ] || fail "lib$library: no declarations found, nothing was checked"
    strangers=$(grep -v '^gt_' "$work/exported") || true
    for symbol in $strangers; do
        fail "lib$library.so exports $symbol"
    done
    absent=$(comm -13 "$work/exported" "$work/declared")
    for symbol in $absent; do
        fail "lib$library.so lacks $symbol, which a public header of its rooms declares"
    done
    echo "lib$library.so: exports $(wc -l <"$work/exported"), its headers declare $(wc -l <"$work/declared")"
}

check gertie-runtime base runtime
check gertie-scene base runtime data scene geometry io build
# shellcheck disable=SC2046  # one word a room
check gertie $(sed -n 's/^\([a-z]*\) *|.*/\1/p' "$rooms")

for library in gertie-runtime gertie-scene; do
    for needed in $(readelf -d "$build/lib$library.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case $needed in
        libc.so.* | libm.so.* | ld-linux*) ;;
        *) fail "lib$library.so needs $needed" ;;
        esac
    done
done
[ "$failures" -eq 0 ]
