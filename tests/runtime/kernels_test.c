// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernels.h"

#include "support/test.h"

static void test_every_level_has_every_kernel(void** state)
{
    (void)state;
    typedef void (*Kernel)(void);
    for (int level = 0; level < GT_SIMD_LEVEL_COUNT; ++level) { // those of other processors have a lower one's
        Kernel kernels[sizeof(GtiKernels) / sizeof(Kernel)];
        memcpy(kernels, gti_kernels_at((GtSimdLevel)level), sizeof kernels);
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) {
            assert_true(kernels[i] != NULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_level_has_every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
