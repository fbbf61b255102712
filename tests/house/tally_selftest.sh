#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows that no failure is lost when `./run test` adds up: a small project whose tests pass, fail, crash, hang, skip and
# are missing, run by the real ctest.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(tally NONE)
enable_testing()
add_test(NAME plain COMMAND true)
add_test(NAME cases COMMAND printf "%02000d\n[  PASSED  ] 5 test(s).\n[  SKIPPED ] tests: 2 test(s), listed below:\n" 0)
add_test(NAME skip COMMAND sh -c "exit 77")
set_tests_properties(skip PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME fail COMMAND false)
add_test(NAME some_fail COMMAND
    sh -c "printf '[  PASSED  ] 3 test(s).\n[  FAILED  ] tests: 2 test(s), listed below:\n'; exit 2")
add_test(NAME crash COMMAND sh -c "kill -SEGV $$")
add_test(NAME hang COMMAND sleep 60)
set_tests_properties(hang PROPERTIES TIMEOUT 1)
add_test(NAME missing COMMAND /nonexistent/program)
END
cmake -S "$work" -B "$work/build" -G Ninja >"$work/log"
ctest --test-dir "$work/build" -j 8 --test-output-size-passed 1000000 --output-junit "$work/results.xml" \
    >"$work/log" 2>&1 || true
counts=$(awk -f "$here/tally.awk" "$work/results.xml")
expected="9 6 3" # passed: plain, 5 and 3 cases; failed: fail, 2 cases, crash, hang, missing; skipped: 2 cases, skip
echo "passed, failed, skipped: got $counts, wanted $expected"
[ "$counts" = "$expected" ]
