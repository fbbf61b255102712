#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# The pages docs/verbs/VERB.md against the program: the table of options between two comments is what
# `gertie help VERB --markdown` prints, and the one in docs/library.md what `gertie sample library --list` prints. With
# --write the tables are brought up to date.
# usage: manual.sh ROOT BUILD [--write]

set -eu
root=$1 build=$2 mode=${3:-}
gertie=$build/gertie
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checked=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# check_table PAGE COMMAND: what is between the comments of PAGE against $work/table, which COMMAND printed.
check_table() {
    page=$1
    start="<!-- gertie $2 -->"
    end='<!-- end -->'
    if ! grep -qxF "$start" "$page" || ! grep -qxF "$end" "$page"; then
        fail "$page has no lines '$start' and '$end'"
        return
    fi
    awk -v start="$start" -v end="$end" -v table="$work/table" '
        $0 == end { on = 0 }
        !on { print }
        $0 == start { on = 1; while ((getline line < table) > 0) print line }' "$page" >"$work/page"
    if [ "$mode" = --write ]; then
        cmp -s "$work/page" "$page" || cp "$work/page" "$page"
    elif ! diff -u "$page" "$work/page"; then
        fail "$page is out of date; run tests/house/manual.sh . build --write"
    fi
    checked=$((checked + 1))
}

verbs=$("$gertie" help | awk '/^Options/ { exit } /^  [a-z]/ { print $1 }')
for verb in $verbs; do
    case $verb in help | version) continue ;; esac
    "$gertie" help "$verb" --markdown >"$work/table"
    check_table "$root/docs/verbs/$verb.md" "help $verb --markdown"
done
{
    echo '```'
    "$gertie" sample library --list
    echo '```'
} >"$work/table"
check_table "$root/docs/library.md" "sample library --list"
echo "manual: $checked pages"
[ "$checked" -ge 15 ] || fail "only $checked pages were checked"
[ "$failures" -eq 0 ]
