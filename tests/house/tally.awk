# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds up the results that `ctest --output-junit` writes, and prints "PASSED FAILED SKIPPED". A cmocka program counts its
# cases; any other test counts one, and so does a program that failed before it could say how many of its cases did.

/^\t<testcase / {
    match($0, /status="[a-z]*"/)
    status = substr($0, RSTART + 8, RLENGTH - 9)
    cases_passed = cases_failed = cases_skipped = 0
}
/\[  PASSED  \] .*test\(s\)\./ { cases_passed += cases() }
/\[  FAILED  \] .*test\(s\), listed below/ { cases_failed += cases() }
/\[  SKIPPED \] .*test\(s\), listed below/ { cases_skipped += cases() }
/^\t\t<skipped message="SKIP_/ { status = "skipped" }
/^\t<\/testcase>/ {
    if (status == "skipped") {
        ++skipped
    } else if (status == "run") {
        passed += cases_passed + cases_skipped > 0 ? cases_passed : 1
        skipped += cases_skipped
    } else {
        passed += cases_passed
        failed += cases_failed > 0 ? cases_failed : 1
        skipped += cases_skipped
    }
}
END { print passed + 0, failed + 0, skipped + 0 }

function cases() {
    match($0, /[0-9]+ test\(s\)/)
    return substr($0, RSTART) + 0
}
