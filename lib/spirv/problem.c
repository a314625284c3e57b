// SPDX-License-Identifier: MIT
//
// Writing down what is wrong with a SPIR-V module.

#include "spirv/problem.h"

#include <stdarg.h>
#include <stdio.h>

enum mez_spirv_status mez_spirv_fail(struct mez_spirv_problem *problem,
    enum mez_spirv_status status, size_t word, const char *format, ...)
{
    if (!problem)
        return status;

    problem->status = status;
    problem->word = word;

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return status;
}
