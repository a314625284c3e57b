// SPDX-License-Identifier: MIT

#include "kernel/declared.h"

#include <stdio.h>

#include "base/alloc.h"

#define TYPE_ROOM 48 // "constant double16 *"

struct known_argument {
    mez_kernel_argument argument;
    char type[TYPE_ROOM]; // that it points to
};

struct mez_known_arguments {
    uint32_t count;
    struct known_argument items[];
};

static mez_declared_kind kind_of(enum mez_spirv_argument_kind kind)
{
    switch (kind) {
    case MEZ_ARGUMENT_VALUE:
        return MEZ_DECLARED_VALUE;
    case MEZ_ARGUMENT_STRUCT:
        return MEZ_DECLARED_STRUCT;
    case MEZ_ARGUMENT_GLOBAL_POINTER:
        return MEZ_DECLARED_GLOBAL_POINTER;
    case MEZ_ARGUMENT_CONSTANT_POINTER:
        return MEZ_DECLARED_CONSTANT_POINTER;
    case MEZ_ARGUMENT_LOCAL_POINTER:
        return MEZ_DECLARED_LOCAL_POINTER;
    case MEZ_ARGUMENT_IMAGE:
        return MEZ_DECLARED_IMAGE;
    case MEZ_ARGUMENT_SAMPLER:
        return MEZ_DECLARED_SAMPLER;
    case MEZ_ARGUMENT_OTHER:
        break;
    }
    return MEZ_DECLARED_OTHER;
}

static mez_arg_kind passed_as(mez_declared_kind kind)
{
    switch (kind) {
    case MEZ_DECLARED_GLOBAL_POINTER:
    case MEZ_DECLARED_CONSTANT_POINTER:
        return MEZ_ARG_POINTER;
    case MEZ_DECLARED_LOCAL_POINTER:
        return MEZ_ARG_LOCAL;
    default:
        return MEZ_ARG_VALUE;
    }
}

static void describe(const struct mez_spirv_argument *declared, struct known_argument *known)
{
    struct mez_spirv_argument nameless = *declared;
    nameless.name = NULL;
    mez_spirv_argument_declaration(&nameless, known->type, sizeof known->type);
    known->argument = (mez_kernel_argument){
        .kind = kind_of(declared->kind),
        .passed_as = passed_as(kind_of(declared->kind)),
        .name = declared->name,
        .type = known->type,
        .size = declared->size,
        .alignment = declared->alignment,
        .pointee_size = declared->pointee_size,
    };
}

// Of native code no more is known than how many there are.
static struct mez_known_arguments *describe_all(const mez_kernel_code *code)
{
    const size_t size = code->argument_count * sizeof(struct known_argument);
    struct mez_known_arguments *known = mez_alloc_array(1, sizeof *known + size);
    if (!known)
        return NULL;
    known->count = code->argument_count;
    for (uint32_t i = 0; i < known->count; i++) {
        known->items[i].argument.type = known->items[i].type;
        if (code->signature.arguments)
            describe(&code->signature.arguments[i], &known->items[i]);
    }
    return known;
}

// What was said once stays: of several native codes another one may become known later.
static const struct mez_known_arguments *find_all(mez_kernel *kernel, const mez_kernel_code *code)
{
    pthread_mutex_lock(&kernel->lock);
    if (!kernel->arguments)
        kernel->arguments = describe_all(code);
    const struct mez_known_arguments *known = kernel->arguments;
    pthread_mutex_unlock(&kernel->lock);
    return known;
}

const mez_kernel_argument *mez_kernel_get_argument(const mez_kernel *kernel, uint32_t index)
{
    const mez_kernel_code *code = kernel ? mez_kernel_known_code(kernel) : NULL;
    if (!code)
        return NULL;
    const struct mez_known_arguments *known = find_all((mez_kernel *)kernel, code);
    if (known)
        return index < known->count ? &known->items[index].argument : NULL;
    mez_log_error(MEZ_TOPIC_KERNEL, mez_error_no_memory("a kernel's arguments"));
    return NULL;
}

void mez_kernel_forget_arguments(mez_kernel *kernel)
{
    mez_free_memory(kernel->arguments);
}
