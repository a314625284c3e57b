// SPDX-License-Identifier: MIT

#include "kernel/use.h"

#include <stdio.h>

#include "check/check.h"
#include "device/device.h"

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
    case MEZ_ARG_NONE:
        return "nothing (MEZ_ARG_NONE)";
    }
    return "of an unknown kind";
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
        "argument %zu%s is %s, but the kernel declares %s", index, in_words(declared, words), given,
        declared_kind(declared->kind));
}

static bool can_be_passed(enum mez_spirv_argument_kind kind)
{
    return kind != MEZ_ARGUMENT_IMAGE && kind != MEZ_ARGUMENT_SAMPLER && kind != MEZ_ARGUMENT_OTHER;
}

static mez_error no_launch_can(const struct mez_spirv_argument *declared, size_t index)
{
    char words[IN_WORDS];
    return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
        "the kernel declares argument %zu%s as %s: a launch passes values, pointers and local "
        "memory, "
        "so this kernel can't be launched; read and write a buffer instead",
        index, in_words(declared, words),
        declared->kind == MEZ_ARGUMENT_OTHER ? "something else" : declared_kind(declared->kind));
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
        "argument %zu%s has %zu bytes, but the kernel declares %llu", index,
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
                "with argument %zu the kernel needs %zu bytes of local memory, but device \"%s\" "
                "has %u",
                i, overflows ? SIZE_MAX : total, device->name, device->local_memory);
    }
    return mez_ok();
}

// Of native kernels nobody knows what they declare.
static const struct mez_spirv_argument *declared_in(const mez_kernel_code *code, size_t index)
{
    return code->signature.arguments ? &code->signature.arguments[index] : NULL;
}

mez_error mez_argument_refuse_address(
    const mez_kernel_code *code, const mez_device *device, uint32_t index, const void *address)
{
    const struct mez_spirv_argument *declared = declared_in(code, index);
    char words[IN_WORDS] = "";
    mez_text text = {0};
    const char *help = mez_address_describe(device->platform, address, &text);
    mez_error error = mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
        "argument %u%s is %p, which a kernel on device \"%s\" can't be given: %s", (unsigned)index,
        declared ? in_words(declared, words) : words, address, device->info.name,
        mez_text_get(&text));
    if (help)
        error = mez_error_add(error, "what helps", "%s", help);
    mez_text_finish(&text);
    return error;
}

static mez_error wrong_kind(const mez_arg *given, size_t index)
{
    return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
        "argument %zu is %s: use MEZ_VAL, MEZ_PTR or MEZ_LOCAL", index, given_kind(given->kind));
}

static mez_error check_argument(
    const struct mez_spirv_argument *declared, const mez_arg *given, size_t index)
{
    static const struct mez_spirv_argument anything = {.kind = MEZ_ARGUMENT_OTHER};
    if (!declared) // nothing is known of what it takes
        return given->kind <= MEZ_ARG_LOCAL ? check_size(&anything, given, index)
                                            : wrong_kind(given, index);
    if (!can_be_passed(declared->kind))
        return no_launch_can(declared, index);
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
            "%zu argument%s given, but the kernel declares %u", count,
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

// --- The range

static mez_error check_global(const mez_range *range)
{
    if (range->dimensions < 1 || range->dimensions > 3)
        return mez_error_make(MEZ_ERRC_ND_RANGE, "a range of %u dimensions: use 1, 2 or 3",
            (unsigned)range->dimensions);
    for (uint32_t i = 0; i < range->dimensions; i++)
        if (range->global[i] == 0)
            return mez_error_make(
                MEZ_ERRC_ND_RANGE, "dimension %u of the range has no work-items", i);
    return mez_ok();
}

static bool has_local(const mez_range *range)
{
    for (uint32_t i = 0; i < range->dimensions; i++)
        if (range->local[i] != 0)
            return true;
    return false;
}

// Sizes beyond `dimensions` count as 1.
static size_t size_in(const size_t sizes[3], const mez_range *range, uint32_t dimension)
{
    return dimension < range->dimensions ? sizes[dimension] : 1;
}

static mez_error take_local(const mez_range *range, uint32_t group_size[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const size_t local = size_in(range->local, range, i);
        if (local == 0)
            return mez_error_make(
                MEZ_ERRC_ND_RANGE, "dimension %u of the work-group size is 0, others are not", i);
        if (local > UINT32_MAX)
            return mez_error_make(
                MEZ_ERRC_ND_RANGE, "dimension %u of the work-group size is %zu", i, local);
        group_size[i] = (uint32_t)local;
    }
    return mez_ok();
}

uint32_t mez_largest_divisor(size_t size, uint32_t limit)
{
    if (limit > size)
        limit = (uint32_t)size;
    while (limit > 1 && size % limit != 0)
        limit--;
    return limit > 0 ? limit : 1;
}

// Drivers take 32 bits. For a larger range any large power of two does: what they suggest is only an upper bound for us.
static uint32_t clamp(size_t size)
{
    return size <= UINT32_MAX ? (uint32_t)size : (uint32_t)1 << 31;
}

static mez_error choose_local(
    const mez_range *range, ze_kernel_handle_t kernel, uint32_t group_size[3])
{
    size_t global[3];
    for (uint32_t i = 0; i < 3; i++)
        global[i] = size_in(range->global, range, i);
    uint32_t suggested[3];
    MEZ_TRY(ZE(zeKernelSuggestGroupSize, kernel, clamp(global[0]), clamp(global[1]),
        clamp(global[2]), &suggested[0], &suggested[1], &suggested[2]));
    for (uint32_t i = 0; i < 3; i++)
        group_size[i] = mez_largest_divisor(global[i], suggested[i]);
    return mez_ok();
}

// A property set may also say how many dimensions the range has to have.
static mez_error check_stated(const mez_kernel_use *use, const mez_range *range)
{
    const mez_part *part = use->code->part;
    if (part->stated.work_group_size_count == 0)
        return mez_ok();
    mez_requirements requirements = {.image = part->image->name, .kernel = use->kernel->name};
    mez_error error = mez_requirements_add_stated(&requirements, &part->stated);
    if (!mez_failed(error))
        error = mez_check_range(
            &requirements, range->dimensions, has_local(range) ? range->local : NULL);
    mez_requirements_finish(&requirements);
    return error;
}

static mez_error check_required(const mez_kernel_use *use, const uint32_t group_size[3])
{
    const uint32_t *required = use->code->group_size;
    if (!use->code->requires_group)
        return mez_ok();
    for (uint32_t i = 0; i < 3; i++)
        if (group_size[i] != required[i])
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "the work-group size %u x %u x %u: kernel \"%s\" requires %u x %u x %u",
                group_size[0], group_size[1], group_size[2], mez_kernel_get_name(use->kernel),
                required[0], required[1], required[2]);
    return mez_ok();
}

static mez_error check_device_limits(const mez_device_info *device, const uint32_t group_size[3])
{
    const uint64_t total = (uint64_t)group_size[0] * group_size[1];
    const bool overflows = group_size[2] > 0 && total > UINT64_MAX / group_size[2];
    if (overflows || total * group_size[2] > device->max_group_size)
        return mez_error_make(MEZ_ERRC_ND_RANGE,
            "a work-group of %u x %u x %u work-items: device \"%s\" runs at most %u", group_size[0],
            group_size[1], group_size[2], device->name, device->max_group_size);
    for (uint32_t i = 0; i < 3; i++)
        if (group_size[i] > device->max_group_sizes[i])
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "dimension %u of the work-group has %u work-items: device \"%s\" runs at most %u",
                i, group_size[i], device->name, device->max_group_sizes[i]);
    return mez_ok();
}

static mez_error count_groups(const mez_range *range, const mez_device_info *device,
    const uint32_t group_size[3], uint32_t count[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const size_t global = size_in(range->global, range, i);
        if (global % group_size[i] != 0)
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "dimension %u: the work-group size %u does not divide the range %zu", i,
                group_size[i], global);
        const size_t groups = global / group_size[i];
        if (groups > device->max_group_counts[i])
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "dimension %u: %zu work-groups of %u: device \"%s\" runs at most %u", i, groups,
                group_size[i], device->name, device->max_group_counts[i]);
        count[i] = (uint32_t)groups;
    }
    return mez_ok();
}

static mez_error plan(const mez_range *range, const mez_device_info *device, mez_kernel_use *use)
{
    mez_launch_plan *plan = &use->plan;
    MEZ_TRY(check_global(range));
    MEZ_TRY(check_stated(use, range));
    if (has_local(range))
        MEZ_TRY(take_local(range, plan->group_size));
    else if (use->code->requires_group)
        memcpy(plan->group_size, use->code->group_size, sizeof plan->group_size);
    else
        MEZ_TRY(choose_local(range, use->ze, plan->group_size));
    MEZ_TRY(check_required(use, plan->group_size));
    MEZ_TRY(check_device_limits(device, plan->group_size));
    uint32_t count[3];
    MEZ_TRY(count_groups(range, device, plan->group_size, count));
    plan->group_count = (ze_group_count_t){count[0], count[1], count[2]};
    return mez_ok();
}

mez_error mez_range_plan(const mez_range *range, const mez_device *device, mez_kernel_use *use)
{
    if (mez_kernel_use_is_planned(use, range))
        return mez_ok();
    const uint64_t allocations = use->allocations;
    mez_kernel_use_drop_plan(use); // a failed plan is none
    MEZ_TRY(plan(range, &device->info, use));
    use->plan.range = *range;
    use->allocations = allocations;
    return mez_ok();
}
