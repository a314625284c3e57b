// SPDX-License-Identifier: MIT

#include "base/environment.h"

#include <stdlib.h>
#include <string.h>

static const mez_variable_info variables[] = {
#define MEZ_VARIABLE(name, values, otherwise, meaning) {"MEZ_" #name, values, otherwise, meaning},
#include "base/environment.def"
#undef MEZ_VARIABLE
};

const mez_variable_info *mez_variable_get_info(mez_variable variable)
{
    return &variables[variable];
}

// Does its value lead to a library, a program, a folder, or a file that is read or written?
static bool leads_to_files(mez_variable variable)
{
    switch (variable) {
    case MEZ_VARIABLE_CACHE:
    case MEZ_VARIABLE_CLANG:
    case MEZ_VARIABLE_CPU_DRIVER:
    case MEZ_VARIABLE_DEVICE_CONFIG:
    case MEZ_VARIABLE_LLVM_SPIRV:
    case MEZ_VARIABLE_TRACE:
    case MEZ_VARIABLE_TRACE_MEMORY:
        return true;
    default:
        return false;
    }
}

const char *mez_setting(mez_variable variable)
{
    const char *name = variables[variable].name;
    const char *text = leads_to_files(variable) ? secure_getenv(name) : getenv(name);
    return text && *text ? text : NULL;
}

mez_error mez_setting_refused(mez_variable variable)
{
    const char *text = mez_setting(variable);
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s=%s is invalid: use %s",
        variables[variable].name, text ? text : "", variables[variable].values);
}

// --- Sizes

// The factor of a size's suffix; 0: it is none.
static uint64_t factor_of(const char *suffix)
{
    static const char letters[] = "KMGT";
    if (!*suffix)
        return 1;
    const char *letter = strchr(letters, *suffix);
    return letter && !suffix[1] ? UINT64_C(1) << 10 * (letter - letters + 1) : 0;
}

static bool read_size(const char *text, uint64_t *size)
{
    uint64_t number = 0;
    const char *next = text;
    for (; *next >= '0' && *next <= '9'; next++) {
        const uint64_t digit = (uint64_t)(*next - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    const uint64_t factor = factor_of(next);
    if (next == text || number == 0 || factor == 0 || number > UINT64_MAX / factor)
        return false;
    *size = number * factor;
    return true;
}

mez_error mez_setting_read_size(mez_variable variable, uint64_t otherwise, uint64_t *size)
{
    const char *text = mez_setting(variable);
    *size = otherwise;
    return !text || read_size(text, size) ? mez_ok() : mez_setting_refused(variable);
}
