#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# promises.sh finds a message that no row has, and lets one pass that a row has.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/docs" "$tree/cli"
{
    echo '## Promises and their tests'
    for i in 1 2 3 4 5; do echo "| \`thing $i at most\` so far | it | a test |"; done
} >"$tree/docs/reliability.md"
for i in 1 2 3 4 5; do echo "say(\"thing $i at most %.1f mm\", x);"; done >"$tree/cli/a.c"
sh "$here/promises.sh" "$tree" >/dev/null || { echo "refuses what has its rows"; exit 1; }
echo 'say("never more than %.1f mm off", x);' >>"$tree/cli/a.c"
if sh "$here/promises.sh" "$tree" >/dev/null; then
    echo "does not find a promise without a row"
    exit 1
fi
