// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A test program runs only the cases whose names match TEST_FILTER, if that is set: cmocka's programs take no
// arguments. Nothing calls into this file; the linker is told to keep it.

#include "support/test.h"

#include <stdlib.h>

void test_filter_cases(void);

__attribute__((constructor)) void test_filter_cases(void)
{
    const char* filter = getenv("TEST_FILTER");
    if (filter) {
        cmocka_set_test_filter(filter);
    }
}
