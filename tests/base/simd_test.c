// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The level is chosen once a process, so each case runs this program anew: `simd_test LEVEL` exits 0 when the level in
// use is LEVEL.

#include "gertie/simd.h"
#include "support/test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* program;

// Whether a fresh process with GERTIE_SIMD=`wanted` (NULL: unset) uses `expected`.
static bool starts_at(const char* wanted, GtSimdLevel expected)
{
    pid_t child = fork();
    if (child == 0) {
        wanted ? setenv("GERTIE_SIMD", wanted, 1) : unsetenv("GERTIE_SIMD");
        execl(program, program, gt_simd_level_name(expected), (char*)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 127) {
        print_message("skipped: an emulated program cannot start itself\n");
        skip();
    }
    return WEXITSTATUS(status) == 0;
}

// What becomes of a level on this processor.
static GtSimdLevel expected_of(GtSimdLevel level)
{
    GtSimdLevel supported = gt_simd_level_supported();
    bool other_kind = supported == GT_SIMD_NEON && level < GT_SIMD_NEON;
    return other_kind ? GT_SIMD_SCALAR : level < supported ? level : supported;
}

static void test_environment_lowers_the_level(void** state)
{
    (void)state;
    GtSimdLevel supported = gt_simd_level_supported();
    print_message("this processor supports %s\n", gt_simd_level_name(supported));
    assert_true(starts_at(NULL, supported));
    assert_true(starts_at("", supported));
    assert_true(starts_at("nonsense", supported));
    for (int level = 0; level < GT_SIMD_LEVEL_COUNT; ++level) {
        GtSimdLevel wanted = (GtSimdLevel)level;
        assert_true(starts_at(gt_simd_level_name(wanted), expected_of(wanted)));
    }
}

static void test_set_is_cut_to_what_is_supported(void** state)
{
    (void)state;
    GtSimdLevel supported = gt_simd_level_supported();
    for (int level = 0; level < GT_SIMD_LEVEL_COUNT; ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        assert_int_equal(gt_simd_level(), expected_of((GtSimdLevel)level));
    }
    gt_simd_level_set((GtSimdLevel)-1);
    assert_int_equal(gt_simd_level(), GT_SIMD_SCALAR);
    gt_simd_level_set((GtSimdLevel)99);
    assert_int_equal(gt_simd_level(), supported);
}

static void test_names(void** state)
{
    (void)state;
    assert_string_equal(gt_simd_level_name(GT_SIMD_SCALAR), "scalar");
    assert_string_equal(gt_simd_level_name(GT_SIMD_AVX2), "avx2");
    assert_string_equal(gt_simd_level_name(GT_SIMD_AVX512), "avx512");
    assert_string_equal(gt_simd_level_name(GT_SIMD_NEON), "neon");
    assert_string_equal(gt_simd_level_name(GT_SIMD_LEVEL_COUNT), "unknown");
    assert_string_equal(gt_simd_level_name((GtSimdLevel)-1), "unknown");
}

int main(int argument_count, char** arguments)
{
    if (argument_count == 2) {
        return strcmp(arguments[1], gt_simd_level_name(gt_simd_level())) != 0;
    }
    program = arguments[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_environment_lowers_the_level),
        cmocka_unit_test(test_set_is_cut_to_what_is_supported),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
