// SPDX-License-Identifier: MIT

#include "fit.h"

#include <stdio.h>

#include "kernel/kernel.h"

// --- Types

// SPIR-V has one type for signed and unsigned numbers of a size.
static bool is_same_number(const struct mez_spirv_number *taken, const struct number_type *given)
{
    const bool is_float = given->kind == NUMBER_FLOAT;
    return is_float == (taken->kind == MEZ_NUMBER_FLOAT) && given->size * 8 == taken->width;
}

static bool is_same_type(const struct mez_spirv_number *taken, const struct value_type *given)
{
    return is_same_number(taken, given->number) && taken->components == given->components;
}

// --- Words

// " (float k)", or nothing where nothing is known.
static void declare(const struct mez_spirv_argument *taken, char *text, size_t room)
{
    char declaration[160];
    mez_spirv_argument_declaration(taken, declaration, sizeof declaration);
    snprintf(text, room, *declaration ? " (%s)" : "%s", declaration);
}

// --- Values

static bool value_fits(const struct mez_spirv_argument *taken, const struct argument *given,
    size_t index, struct problem *problem)
{
    char declaration[180], wanted[MEZ_SPIRV_NUMBER_NAME], type[VALUE_TYPE_NAME];
    const bool is_known =
        taken->kind == MEZ_ARGUMENT_VALUE && taken->number.kind != MEZ_NUMBER_NONE;
    if (!is_known || is_same_type(&taken->number, &given->value.type))
        return true;
    declare(taken, declaration, sizeof declaration);
    mez_spirv_number_name(&taken->number, wanted);
    value_type_name(&given->value.type, type);
    return problem_set(problem, "argument %zu%s is given as %s; the kernel takes %s", index,
        declaration, type, *wanted ? wanted : "another type");
}

// --- Buffers

// Compilers with opaque pointers declare any buffer as bytes, and users do so for files.
static bool may_be_anything(const struct mez_spirv_number *taken, const struct number_type *given)
{
    return taken->kind == MEZ_NUMBER_NONE || (taken->kind == MEZ_NUMBER_INT && taken->width == 8) ||
           given->size == 1;
}

static void check_buffer(
    const struct mez_spirv_argument *taken, const struct argument *given, size_t index)
{
    char declaration[180], wanted[MEZ_SPIRV_NUMBER_NAME], type[VALUE_TYPE_NAME];
    // A vector in memory is its numbers, one behind the other.
    const struct number_type *number = given->buffer.type.number;
    if (may_be_anything(&taken->number, number) || is_same_number(&taken->number, number))
        return;
    declare(taken, declaration, sizeof declaration);
    mez_spirv_number_name(&taken->number, wanted);
    value_type_name(&given->buffer.type, type);
    fprintf(stderr,
        "mez run: warning: argument %zu%s is given a buffer of %s; the kernel takes one of %s\n",
        index, declaration, type, *wanted ? wanted : "another type");
}

bool arguments_fit(
    const mez_kernel *kernel, const struct run_request *request, struct problem *problem)
{
    // Which code a device takes of several does not change what the kernel is.
    const mez_kernel_code *code = &kernel->codes[0];
    if (!code->known || code->signature.count != request->argument_count)
        return true;
    for (size_t i = 0; i < request->argument_count; i++) {
        const struct argument *given = &request->arguments[i];
        const struct mez_spirv_argument *taken = &code->signature.arguments[i];
        if (given->kind == ARGUMENT_VALUE && !value_fits(taken, given, i, problem))
            return false;
        if (given->kind == ARGUMENT_BUFFER)
            check_buffer(taken, given, i);
    }
    return true;
}
