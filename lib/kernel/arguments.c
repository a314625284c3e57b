// SPDX-License-Identifier: MIT

#include "kernel/arguments.h"

#include <stdio.h>

static const char *declared_kind(enum mez_spirv_argument_kind kind)
{
    switch (kind) {
    case MEZ_ARGUMENT_VALUE:
        return "a value";
    case MEZ_ARGUMENT_STRUCT:
        return "a struct";
    case MEZ_ARGUMENT_GLOBAL_POINTER:
        return "a pointer to global memory";
    case MEZ_ARGUMENT_CONSTANT_POINTER:
        return "a pointer to constant memory";
    case MEZ_ARGUMENT_LOCAL_POINTER:
        return "local memory";
    case MEZ_ARGUMENT_IMAGE:
        return "an image";
    case MEZ_ARGUMENT_SAMPLER:
        return "a sampler";
    case MEZ_ARGUMENT_OTHER:
        break;
    }
    return "something that can't be passed";
}

static const char *given_kind(mez_arg_kind kind)
{
    switch (kind) {
    case MEZ_ARG_VALUE:
        return "a value (MEZ_VAL)";
    case MEZ_ARG_POINTER:
        return "a pointer (MEZ_PTR)";
    case MEZ_ARG_LOCAL:
        return "local memory (MEZ_LOCAL)";
    }
    return "of no known kind";
}

static bool kinds_fit(enum mez_spirv_argument_kind declared, mez_arg_kind given)
{
    switch (declared) {
    case MEZ_ARGUMENT_VALUE:
    case MEZ_ARGUMENT_STRUCT:
        return given == MEZ_ARG_VALUE;
    case MEZ_ARGUMENT_GLOBAL_POINTER:
    case MEZ_ARGUMENT_CONSTANT_POINTER:
        return given == MEZ_ARG_POINTER;
    case MEZ_ARGUMENT_LOCAL_POINTER:
        return given == MEZ_ARG_LOCAL;
    default:
        return false;
    }
}

// " (float k)", or nothing where the module has no words for it.
#define IN_WORDS 200
static const char *in_words(const struct mez_spirv_argument *declared, char *words)
{
    char declaration[IN_WORDS - 4];
    mez_spirv_argument_declaration(declared, declaration, sizeof declaration);
    snprintf(words, IN_WORDS, *declaration ? " (%s)" : "%s", declaration);
    return words;
}

static mez_error wrong(const struct mez_spirv_argument *declared, size_t index, const char *given)
{
    char words[IN_WORDS];
    return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
        "argument %zu%s is %s, and the kernel declares %s", index, in_words(declared, words), given,
        declared_kind(declared->kind));
}

static mez_error check_size(
    const struct mez_spirv_argument *declared, const mez_arg *given, size_t index)
{
    if (given->kind == MEZ_ARG_LOCAL && given->size == 0)
        return wrong(declared, index, "local memory of 0 bytes");
    if (given->kind != MEZ_ARG_VALUE)
        return mez_ok();
    if (!given->data)
        return wrong(declared, index, "a value at NULL");
    if (declared->size == 0 || declared->size == given->size) // 0: the module does not say
        return mez_ok();
    char words[IN_WORDS];
    return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
        "argument %zu%s has %zu bytes, and the kernel declares %llu", index,
        in_words(declared, words), given->size, (unsigned long long)declared->size);
}

// Drivers take more, and the launch then fails or hangs.
static mez_error check_local_memory(const mez_args *args, const mez_device_info *device)
{
    size_t total = 0;
    for (size_t i = 0; args && i < args->count; i++) {
        if (args->items[i].kind != MEZ_ARG_LOCAL)
            continue;
        const bool overflows = __builtin_add_overflow(total, args->items[i].size, &total);
        if (overflows || total > device->local_memory)
            return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
                "argument %zu makes %zu bytes of local memory, and device \"%s\" has %u", i,
                overflows ? SIZE_MAX : total, device->name, device->local_memory);
    }
    return mez_ok();
}

// Of native kernels nobody knows what they declare.
static const struct mez_spirv_argument *declared_in(const mez_kernel_code *code, size_t index)
{
    return code->signature.arguments ? &code->signature.arguments[index] : NULL;
}

static mez_error check_argument(
    const struct mez_spirv_argument *declared, const mez_arg *given, size_t index)
{
    static const struct mez_spirv_argument anything = {.kind = MEZ_ARGUMENT_OTHER};
    if (!declared)
        return check_size(&anything, given, index);
    if (!kinds_fit(declared->kind, given->kind))
        return wrong(declared, index, given_kind(given->kind));
    return check_size(declared, given, index);
}

mez_error mez_arguments_check(
    const mez_kernel_code *code, const mez_args *args, const mez_device_info *device)
{
    const size_t count = args ? args->count : 0;
    if (count != code->argument_count)
        return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
            "%zu argument%s given, and the kernel declares %u", count,
            count == 1 ? " was" : "s were", (unsigned)code->argument_count);
    if (count > 0 && !args->items)
        return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT, "%zu arguments at NULL", count);
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(check_argument(declared_in(code, i), &args->items[i], i));
    return check_local_memory(args, device);
}

// Of several codes nobody knows yet which one the device takes.
static bool may_be_asked_early(const mez_kernel *kernel)
{
    return kernel->code_count == 1 && !kernel->codes[0].part->stated.stated &&
           !mez_part_is_native(kernel->codes[0].part);
}

mez_error mez_arguments_check_early(
    mez_kernel *kernel, const mez_args *args, const mez_device_info *device)
{
    if (!may_be_asked_early(kernel))
        return mez_ok();
    MEZ_TRY(mez_kernel_learn(kernel, &kernel->codes[0], NULL));
    return kernel->codes[0].known ? mez_arguments_check(&kernel->codes[0], args, device) : mez_ok();
}
