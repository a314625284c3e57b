// SPDX-License-Identifier: MIT
//
// The types of images in LLVM's assembler, which newer versions of llvm-spirv write. No engine is needed.

#include "engine_harness.h"
#include "image_types.h"

#include <stdlib.h>

static void check(const char *assembler, const char *expected)
{
    char *replaced = zc_image_types_as_pointers(assembler);
    assert_non_null(replaced);
    assert_string_equal(replaced, expected);
    free(replaced);
}

static void replaces_types_of_images(void **state)
{
    (void)state;
    check("", "");
    check("define void @f(target(\"spirv.Image\", void, 1, 0, 0, 0, 0, 0, 0) %0, "
          "target(\"spirv.Sampler\") %1)",
        "define void @f(ptr addrspace(1) %0, ptr addrspace(2) %1)");
    check("%2 = alloca target(\"spirv.SampledImage\", void, 2, 0, 0, 0, 0, 0, 0), align 8",
        "%2 = alloca ptr addrspace(1), align 8");
    check("target(\"spirv.Sampler\")target(\"spirv.Sampler\")", "ptr addrspace(2)ptr addrspace(2)");
}

static void leaves_everything_else(void **state)
{
    (void)state;
    static const char *const others[] = {"target(\"spirv.Event\") %0", "target triple = \"x\"",
        "c\"target(\\22spirv.Image\\22)\"", "target(\"spirv.Images\")", "t",
        "target(\"spirv.Image"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        check(others[i], others[i]);
}

static void refuses_types_without_end(void **state)
{
    (void)state;
    assert_null(zc_image_types_as_pointers("target(\"spirv.Image\", void"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_types_of_images),
        cmocka_unit_test(leaves_everything_else),
        cmocka_unit_test(refuses_types_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
