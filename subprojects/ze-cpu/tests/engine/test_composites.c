// SPDX-License-Identifier: MIT
//
// Vectors, structs and arrays that SPIR-V makes of values at once, which no OpenCL C becomes.

#include "engine_harness.h"

static void composites(void **state)
{
    (void)state;
    struct zc_program *program = build_file("composites", "");
    for (uint32_t n = 0; n < 2; n++) {
        float out[6];
        const struct {
            float *out;
            _Alignas(8) float a;
            _Alignas(8) float b;
            _Alignas(8) uint32_t n;
        } blob = {out, 3, 5, n};
        const float expected[6] = {15, 25, n == 0 ? 3 : 5, (float)n, 5, 3};
        const struct launch one = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};
        run(find_kernel(program, "composites"), &one, &blob);
        for (int i = 0; i < 6; i++)
            assert_true(out[i] == expected[i]);
    }
    engine->destroy(program);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(composites)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
