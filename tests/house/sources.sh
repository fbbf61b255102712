#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# What every file of the repository keeps to: sources name their licence in their first lines, nothing names a place on
# somebody's machine or a package registry's address, and links between documents lead somewhere.
# usage: sources.sh ROOT, the top of a source tree

set -eu
cd "$1"
failures=$(mktemp)
files=$(mktemp)
trap 'rm -f "$failures" "$files"' EXIT

find . \( -path ./.git -o -path ./build -o -path './build-*' -o -path ./demo -o -path ./out -o -path ./fuzz/corpus \
    -o -name node_modules \) -prune -o -type f -print | sort >"$files"

while read -r file; do
    case $file in
    *.c | *.h | *.cc | *.sh | *.awk | *.cmake | *.js | *.mjs | */CMakeLists.txt | ./run | ./.ci/run)
        for line in 'SPDX-FileCopyrightText: The Gertie authors' 'SPDX-License-Identifier: Apache-2.0'; do
            head -n 5 "$file" | grep -qF "$line" || echo "$file: says no '$line' in its first lines" >>"$failures"
        done
        ;;
    *.md)
        # Relative links: ](path), with neither a scheme nor only an anchor.
        grep -o ']([^)#]*' "$file" | sed 's/^](//' | grep -v -e '^$' -e ':' | while read -r link; do
            [ -e "$(dirname "$file")/$link" ] || echo "$file: links to $link, which is not there" >>"$failures"
        done
        ;;
    esac
done <"$files"

# The brackets keep these patterns from finding themselves.
xargs grep -HnIE '/[h]ome/|/[r]oot/|/[w]ork/|/[U]sers/|/tmp/[w]t' <"$files" |
    sed 's/$/   <- a place on one machine/' >>"$failures" || true
xargs grep -HnIE '[r]egistry\.npmjs|[n]pmmirror|"[r]esolved":|[d]eb\.debian\.org|[p]ypi\.org' <"$files" |
    sed 's/$/   <- an address of a registry/' >>"$failures" || true

cat "$failures"
echo "$(wc -l <"$files") files checked, $(wc -l <"$failures") faults"
[ -s "$files" ] && [ ! -s "$failures" ]
