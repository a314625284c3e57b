// SPDX-License-Identifier: MIT

#include "kernel/kernel.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/list.h"
#include "device/platform.h"
#include "kernel/use.h"
#include "traced_calls.h"

struct mez_known_kernel {
    mez_kernel_info info;
    struct mez_known_kernel *next;
};

static void fill(mez_kernel_info *info, const mez_kernel_use *use, mez_device *device,
    const ze_kernel_properties_t *properties, uint32_t multiple)
{
    const uint32_t *required = use->code->group_size;
    *info = (mez_kernel_info){
        .device = device,
        .native = mez_part_is_native(use->code->part),
        .argument_count = use->code->argument_count,
        .max_group_size = device->info.max_group_size,
        .preferred_group_multiple = multiple,
        .required_sub_group_size = properties->requiredSubgroupSize,
        .required_sub_group_count = properties->requiredNumSubGroups,
        .max_sub_group_size = properties->maxSubgroupSize,
        .max_sub_group_count = properties->maxNumSubgroups,
        .local_memory = properties->localMemSize,
        .private_memory = properties->privateMemSize,
        .spill_memory = properties->spillMemSize,
    };
    for (int i = 0; i < 3 && use->code->requires_group; i++)
        info->required_group_size[i] = required[i];
    if (use->code->requires_group)
        info->max_group_size = required[0] * required[1] * required[2];
}

// A driver of an older specification leaves the multiple as it is.
static mez_error ask(const mez_kernel_use *use, mez_device *device, mez_kernel_info *info)
{
    ze_kernel_preferred_group_size_properties_t preferred = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
    const bool has_preferred = device->platform->caps.api_version >= ZE_MAKE_VERSION(1, 2);
    ze_kernel_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES, .pNext = has_preferred ? &preferred : NULL};
    MEZ_TRY(ZE(zeKernelGetProperties, use->ze, &properties));
    fill(info, use, device, &properties, preferred.preferredMultiple);
    return mez_ok();
}

static const mez_kernel_info *find(const mez_kernel *kernel, const mez_device *device)
{
    const struct mez_known_kernel *known = kernel->known;
    while (known && known->info.device != device)
        known = known->next;
    return known ? &known->info : NULL;
}

static const mez_kernel_info *find_known(mez_kernel *kernel, const mez_device *device)
{
    pthread_mutex_lock(&kernel->lock);
    const mez_kernel_info *info = find(kernel, device);
    pthread_mutex_unlock(&kernel->lock);
    return info;
}

// Another thread may have been faster, and somebody may have its answer.
static const mez_kernel_info *keep(mez_kernel *kernel, struct mez_known_kernel *made)
{
    pthread_mutex_lock(&kernel->lock);
    const mez_kernel_info *info = find(kernel, made->info.device);
    if (!info) {
        mez_list_push(&kernel->known, made, next);
        info = &made->info;
        made = NULL;
    }
    pthread_mutex_unlock(&kernel->lock);
    mez_free_memory(made);
    return info;
}

static mez_error ask_driver(mez_kernel *kernel, mez_device *device, struct mez_known_kernel *made)
{
    mez_kernel_use *use;
    MEZ_TRY(mez_kernel_use_borrow(kernel, device, &use));
    const mez_error error = ask(use, device, &made->info);
    mez_kernel_use_give_back(use);
    return error;
}

static mez_error find_or_ask(mez_kernel *kernel, mez_device *device, const mez_kernel_info **info)
{
    MEZ_TRY(mez_platform_device(kernel->image->platform, device, &device));
    *info = find_known(kernel, device);
    if (*info)
        return mez_ok();
    struct mez_known_kernel *made = mez_new(struct mez_known_kernel);
    if (!made)
        return mez_error_no_memory("what is known of a kernel");
    const mez_error error = ask_driver(kernel, device, made);
    if (mez_failed(error))
        mez_free_memory(made);
    else
        *info = keep(kernel, made);
    return error;
}

MEZ_TRACE_BODY mez_error get_info(
    const mez_location *where, mez_kernel *kernel, mez_device *device, const mez_kernel_info **info)
{
    const mez_error error = find_or_ask(kernel, device, info);
    return mez_platform_note_loss(kernel->image->platform, mez_error_add_place(error, where));
}

MEZ_TRACED_CALL(mez_kernel_get_info, get_info)

mez_error mez_kernel_get_info_at(
    const mez_location *where, mez_kernel *kernel, mez_device *device, const mez_kernel_info **info)
{
    MEZ_REQUIRE(info, where);
    *info = NULL;
    MEZ_REQUIRE(kernel, where);
    MEZ_TRACE_CALL(mez_kernel_get_info, where, get_info, where, kernel, device, info);
}

void mez_kernel_forget_infos(mez_kernel *kernel)
{
    struct mez_known_kernel *known;
    while (mez_list_pop(&kernel->known, known, next))
        mez_free_memory(known);
}

// --- Its arguments

#define TYPE_ROOM 48 // "constant double16 *"

struct known_argument {
    mez_kernel_argument argument;
    char type[TYPE_ROOM]; // that it points to
    char number_type[MEZ_SPIRV_NUMBER_NAME];
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
    case MEZ_DECLARED_IMAGE:
    case MEZ_DECLARED_SAMPLER:
    case MEZ_DECLARED_OTHER:
        return MEZ_ARG_NONE;
    default:
        return MEZ_ARG_VALUE;
    }
}

static mez_declared_number number_of(enum mez_spirv_number_kind kind)
{
    switch (kind) {
    case MEZ_NUMBER_INT:
        return MEZ_DECLARED_INTEGER;
    case MEZ_NUMBER_FLOAT:
        return MEZ_DECLARED_FLOAT;
    case MEZ_NUMBER_NONE:
        break;
    }
    return MEZ_DECLARED_NO_NUMBER;
}

static void describe_number(const struct mez_spirv_number *number, struct known_argument *known)
{
    mez_kernel_argument *argument = &known->argument;
    mez_spirv_number_name(number, known->number_type);
    argument->number = number_of(number->kind);
    if (argument->number == MEZ_DECLARED_NO_NUMBER)
        return;
    argument->number_bits = number->width;
    argument->components = number->components;
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
        .number_type = known->number_type,
    };
    describe_number(&declared->number, known);
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
        known->items[i].argument.number_type = known->items[i].number_type;
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
