#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# A message of the command that gives a measured figure as a bound or a confidence is in the table of promises in
# docs/reliability.md, whose rows name the tests that measure them: each such line of cli/*.c holds a piece of text that
# stands in backquotes in the first column.
# usage: promises.sh ROOT, the top of a source tree

set -eu
cd "$1"
awk '
    FILENAME ~ /reliability\.md$/ {
        if (/^## /) in_table = /^## Promises and their tests/
        if (in_table && /^\| /) {
            split($0, cells, "|")
            for (n = split(cells[2], parts, "`"); n > 1; n--) if (n % 2 == 0) pieces[++count] = parts[n]
        }
        next
    }
    # A number after the words, or before them; %d counts things, and an error is no promise.
    /"[^"]*(at most|up to|more than|confidence|within)[^"%]*%[.0-9]*[fgs]/ || /"[^"]*%[.0-9]*[fg][^"%]* (at most|off)[ ,;"]/ {
        if (/fail\(/ || /_misuse\(/) next
        found++
        for (i = 1; i <= count; i++) if (index($0, pieces[i])) next
        print FILENAME ":" FNR ": gives a bound that no row of \"Promises and their tests\" in docs/reliability.md has"
        faults++
    }
    END {
        print found + 0 " promises in " count + 0 " pieces, " faults + 0 " faults"
        exit faults > 0 || found < 5 || count < 5
    }' docs/reliability.md cli/*.c
