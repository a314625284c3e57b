// SPDX-License-Identifier: MIT

#include "modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "files.h"

void *read_test_file(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("MEZ_SPIRV_FILES"), name);
    return read_whole_file(path, size);
}

struct mez_spirv_module *read_module(const void *bytes, size_t size, const char *name)
{
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_module *module;
    if (mez_spirv_module_create(bytes, size, &problem, &module))
        fail_msg("%s: %s", name, problem.text);
    return module;
}

struct mez_spirv_module *open_module(const char *name)
{
    size_t size;
    void *bytes = read_test_file(name, &size);
    struct mez_spirv_module *module = read_module(bytes, size, name);
    free(bytes); // the module must have its own copy
    return module;
}
