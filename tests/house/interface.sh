#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Fails when a public header breaks a rule of gertie/api.h or declares a function that nothing but tests uses, and when a
# document names a function that there is not.
# usage: interface.sh ROOT, the top of a source tree

set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
{
    find include -name '*.h' | sort
    find . -maxdepth 1 -name '*.md' | sort
    find docs -name '*.md' | sort
    find tests/house tests/render -name null_test.c -o -name renderer_test.c | sort
    find src cli examples bench fuzz -name '*.[ch]' | sort
} | xargs awk -f "$here/interface.awk"
