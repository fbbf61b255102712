#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# What every file of the repository keeps to: sources name their licence in their first lines, nothing names a place on
# somebody's machine or a package registry's address, links between documents lead somewhere, and every document is in
# the index.
# usage: sources.sh ROOT, the top of a source tree

set -eu
cd "$1"
failures=$(mktemp)
files=$(mktemp)
trap 'rm -f "$failures" "$files"' EXIT

find . \( -path ./.git -o -path ./build -o -path './build-*' -o -path ./demo -o -path ./out -o -path ./fuzz/corpus \
    -o -name node_modules \) -prune -o -type f -print | sort >"$files"

grep -E '\.(c|h|cc|sh|awk|cmake|js|mjs)$|/CMakeLists\.txt$|^\./(\.ci/)?run$' "$files" | xargs -r awk '
    function close_file() {
        if (file && !holder) print file ": names no \"SPDX-FileCopyrightText: The Gertie authors\" in its first lines"
        if (file && !licence) print file ": names no \"SPDX-License-Identifier: Apache-2.0\" in its first lines"
    }
    FNR == 1 { close_file(); file = FILENAME; holder = licence = 0 }
    FNR <= 5 && /SPDX-FileCopyrightText: The Gertie authors/ { holder = 1 }
    FNR <= 5 && /SPDX-License-Identifier: Apache-2.0/ { licence = 1 }
    END { close_file() }' >>"$failures"

# Relative links: ](path), with neither a scheme nor only an anchor.
grep '\.md$' "$files" | xargs -r grep -o ']([^)#]*' /dev/null | sed 's/:](/ /' | while read -r file link; do
    case $link in
    '' | *:*) ;;
    *) [ -e "$(dirname "$file")/$link" ] || echo "$file: links to $link, which is not there" >>"$failures" ;;
    esac
done

# Every document is in the index.
sed -n 's|^\./docs/\(.*\.md\)$|\1|p' "$files" | while read -r page; do
    [ "$page" = README.md ] || grep -qF "]($page)" docs/README.md ||
        echo "docs/$page: is not in the index, docs/README.md" >>"$failures"
done

# The brackets keep these patterns from finding themselves.
xargs grep -HnIE '/[h]ome/|/[r]oot/|/[w]ork/|/[U]sers/|/tmp/[w]t' <"$files" |
    sed 's/$/   <- a place on one machine/' >>"$failures" || true
xargs grep -HnIE '[r]egistry\.npmjs|[n]pmmirror|"[r]esolved":|[d]eb\.debian\.org|[p]ypi\.org' <"$files" |
    sed 's/$/   <- an address of a registry/' >>"$failures" || true

cat "$failures"
echo "$(wc -l <"$files") files checked, $(wc -l <"$failures") faults"
[ -s "$files" ] && [ ! -s "$failures" ]
