# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds up ctest's LastTest.log and prints "PASSED FAILED". A cmocka program counts its cases; any other test counts one,
# and so does a program that failed before it could say how many of its cases did.

/^[0-9]+\/[0-9]+ Test: / { in_test = 1; cases_passed = cases_failed = 0 }
in_test && /^\[  PASSED  \] .*test\(s\)/ { cases_passed += cases() }
in_test && /^\[  FAILED  \] .*test\(s\), listed below/ { cases_failed += cases() }
/^Test Passed\.$/ && in_test { passed += cases_passed > 0 ? cases_passed : 1; in_test = 0 }
/^Test (Failed|Timeout|Exception|Not Run)/ && in_test { close_failed() }
/end time:/ && in_test { close_failed() }
END { if (in_test) close_failed(); print passed + 0, failed + 0 }

function cases() { match($0, /[0-9]+ test\(s\)/); return substr($0, RSTART) + 0 }
function close_failed() { passed += cases_passed; failed += cases_failed > 0 ? cases_failed : 1; in_test = 0 }
