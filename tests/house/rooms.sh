#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Fails when a room of src/, a public header or the command includes what rooms.txt does not let it reach.
# usage: rooms.sh ROOT, the top of a source tree

set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
find src include cli -name '*.[ch]' | sort | xargs awk -f "$here/rooms.awk" table="$here/rooms.txt" "$here/rooms.txt"
