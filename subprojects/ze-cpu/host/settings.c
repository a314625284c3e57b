// SPDX-License-Identifier: MIT
//
// Reading the environment.
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct zc_settings zc_settings;

static ze_result_t refuse(const char *name, const char *value, const char *expected)
{
    fprintf(stderr, "ze-cpu: %s=%s is not %s\n", name, value, expected);
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

// The variable's value; NULL where it is not set or empty.
static const char *get_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static ze_result_t read_switch(const char *name, bool *on)
{
    const char *value = get_variable(name);
    if (!value)
        return ZE_RESULT_SUCCESS;
    if (strcmp(value, "0") && strcmp(value, "1"))
        return refuse(name, value, "0 or 1");
    *on = *value == '1';
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_settings_read(void)
{
    return read_switch("ZE_CPU_NEWER", &zc_settings.newer);
}
