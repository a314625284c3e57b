// SPDX-License-Identifier: MIT

#include "fit.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

// --- Types

// SPIR-V has one type for signed and unsigned numbers of a size.
static bool is_same_number(const mez_kernel_argument *taken, const struct number_type *given)
{
    const bool is_float = given->kind == NUMBER_FLOAT;
    return is_float == (taken->number == MEZ_DECLARED_FLOAT) &&
           given->size * 8 == taken->number_bits;
}

static bool is_same_type(const mez_kernel_argument *taken, const struct value_type *given)
{
    return is_same_number(taken, given->number) && taken->components == given->components;
}

// --- Words

// " (float k)", or nothing where nothing is known.
static void declare(const mez_kernel_argument *taken, char *text, size_t room)
{
    const size_t length = strlen(taken->type);
    const char *name = taken->name ? taken->name : "";
    const bool apart = length > 0 && taken->type[length - 1] != '*' && *name;
    snprintf(text, room, "%s%s%s%.120s%s", length || *name ? " (" : "", taken->type,
        apart ? " " : "", name, length || *name ? ")" : "");
}

static const char *name_wanted(const mez_kernel_argument *taken)
{
    return *taken->number_type ? taken->number_type : "another type";
}

// --- Values

static bool value_fits(const mez_kernel_argument *taken, const struct argument *given, size_t index,
    struct problem *problem)
{
    char declaration[180], type[VALUE_TYPE_NAME];
    const bool is_known =
        taken->kind == MEZ_DECLARED_VALUE && taken->number != MEZ_DECLARED_NO_NUMBER;
    if (!is_known || is_same_type(taken, &given->value.type))
        return true;
    declare(taken, declaration, sizeof declaration);
    value_type_name(&given->value.type, type);
    return problem_set(problem, "argument %zu%s is given as %s; the kernel takes %s", index,
        declaration, type, name_wanted(taken));
}

// --- Buffers

// Compilers with opaque pointers declare any buffer as bytes, and users do so for files.
static bool may_be_anything(const mez_kernel_argument *taken, const struct number_type *given)
{
    return taken->number == MEZ_DECLARED_NO_NUMBER ||
           (taken->number == MEZ_DECLARED_INTEGER && taken->number_bits == 8) || given->size == 1;
}

static void check_buffer(
    const mez_kernel_argument *taken, const struct argument *given, size_t index)
{
    char declaration[180], type[VALUE_TYPE_NAME];
    // A vector in memory is its numbers, one behind the other.
    const struct number_type *number = given->buffer.type.number;
    if (may_be_anything(taken, number) || is_same_number(taken, number))
        return;
    declare(taken, declaration, sizeof declaration);
    value_type_name(&given->buffer.type, type);
    mez_print(stderr,
        "mez run: warning: argument %zu%s is given a buffer of %s; the kernel takes one of %s\n",
        index, declaration, type, name_wanted(taken));
}

bool arguments_fit(
    const mez_kernel *kernel, const struct run_request *request, struct problem *problem)
{
    if (mez_kernel_get_argument_count(kernel) != request->argument_count)
        return true; // the launch reports it
    for (uint32_t i = 0; i < request->argument_count; i++) {
        const struct argument *given = &request->arguments[i];
        const mez_kernel_argument *taken = mez_kernel_get_argument(kernel, i);
        if (!taken)
            continue;
        if (given->kind == ARGUMENT_VALUE && !value_fits(taken, given, i, problem))
            return false;
        if (given->kind == ARGUMENT_BUFFER)
            check_buffer(taken, given, i);
    }
    return true;
}
