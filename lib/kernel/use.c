// SPDX-License-Identifier: MIT

#include "kernel/use.h"

#include "base/alloc.h"
#include "spirv/rewrite.h"
#include "base/list.h"
#include "image/build.h"

// --- Which of the codes a device gets

// What the kernel reaches without its arguments saying so.
static ze_kernel_indirect_access_flags_t indirect_access(const mez_kernel_use *use)
{
    if (use->code->finds_pointers)
        return ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
               ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
    return use->module->reaches_others ? ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE : 0;
}

static mez_error create_ze_kernel(mez_kernel_use *use, mez_kernel_code *code)
{
    const mez_kernel *kernel = use->kernel;
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = kernel->name};
    const mez_error error = ZE(zeKernelCreate, use->module->ze, &description, &use->ze);
    if (mez_failed(error))
        return mez_error_headline(error, "the driver built \"%s\", but not its kernel \"%s\"",
            kernel->image->name, kernel->name);
    MEZ_TRY(mez_kernel_learn(use->kernel, code, use->ze));
    const ze_kernel_indirect_access_flags_t access = indirect_access(use);
    if (!access)
        return mez_ok();
    // Every allocation is then kept reachable for every submission: 700 instructions each on Intel's driver with a few of them. Asked
    // for once: per launch it serialises threads (docs/internals/drivers.md#memory).
    return ZE(zeKernelSetIndirectAccess, use->ze, access);
}

// The driver's compiler is asked only after our own check.
static mez_error take_code(mez_kernel_use *use, mez_kernel_code *code, mez_device *device)
{
    MEZ_TRY(mez_part_judge(code->part, use->kernel->name, device, true));
    MEZ_TRY(mez_kernel_learn(use->kernel, code, NULL));
    MEZ_TRY(mez_part_build_get(code->part, use->kernel->name, device, &use->module));
    use->code = code;
    return create_ze_kernel(use, code);
}

// --- Of several codes

// Would another code fare better?
static bool is_of_the_code(mez_error error)
{
    return !mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY) &&
           !mez_error_is(error, MEZ_ERRC_MEMORY_ALLOCATION) &&
           !mez_error_is(error, MEZ_ERRC_DEVICE_LOST);
}

// Code that was compiled for another device is not worth a message.
static void report_next(const mez_kernel_use *use, const mez_kernel_code *code, mez_error error)
{
    const bool expected = mez_error_is(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    mez_log(KERNEL, DEBUG, "kernel \"%s\": %s can't be used", use->kernel->name,
        code->part->binary->source);
    if (expected)
        return;
    mez_log(KERNEL, WARN, "kernel \"%s\": %s can't be used; trying the next of its codes",
        use->kernel->name, code->part->binary->source);
    mez_log_error(MEZ_TOPIC_KERNEL, error);
}

static void drop_code(mez_kernel_use *use)
{
    if (use->ze)
        ZE_LOGGED(zeKernelDestroy, use->ze);
    use->ze = NULL;
    use->code = NULL;
    use->module = NULL;
}

// Fills the use's code, module and kernel of the driver: with the first code that the device has what is needed for and its driver
// takes. After a failure the use may have any of them, to be given back with it. Errors: as mez_kernel_build; of several codes the
// last one's, which is the most general.
static mez_error choose_code(mez_kernel_use *use, mez_device *device)
{
    mez_kernel *kernel = use->kernel;
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        error = take_code(use, &kernel->codes[i], device);
        if (!mez_failed(error) || !is_of_the_code(error) || i + 1 == kernel->code_count)
            return error;
        report_next(use, &kernel->codes[i], error);
        drop_code(use);
    }
    return error;
}

// --- Life of a use

static void use_free(mez_kernel_use *use)
{
    if (use->ze)
        ZE_LOGGED(zeKernelDestroy, use->ze);
    mez_free_memory(use->arguments);
    mez_free_memory(use->large_values);
    mez_free_memory(use);
}

#define ALIGNMENT 8u

// Room for a large value; 0: the argument has none, or nobody knows its size.
static size_t large_size(const struct mez_spirv_argument *argument)
{
    const bool is_value =
        argument->kind == MEZ_ARGUMENT_VALUE || argument->kind == MEZ_ARGUMENT_STRUCT;
    const bool is_large =
        argument->size > sizeof((mez_set_argument *)NULL)->value && argument->size <= UINT32_MAX;
    return is_value && is_large ? (size_t)(argument->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
                                : 0;
}

static mez_error make_room_for_large(mez_kernel_use *use)
{
    const struct mez_spirv_signature *signature = &use->code->signature;
    size_t total = 0;
    for (uint32_t i = 0; i < signature->count; i++)
        total += large_size(&signature->arguments[i]);
    if (total == 0)
        return mez_ok();
    use->large_values = mez_alloc_array(total, 1);
    if (!use->large_values)
        return mez_error_no_memory("a kernel's arguments");
    unsigned char *next = use->large_values;
    for (uint32_t i = 0; i < signature->count; i++) {
        const size_t size = large_size(&signature->arguments[i]);
        if (size == 0)
            continue;
        use->arguments[i].large = next;
        use->arguments[i].large_size = (uint32_t)size;
        next += size;
    }
    return mez_ok();
}

static mez_error make_room_for_arguments(mez_kernel_use *use)
{
    use->argument_count = use->code->argument_count;
    use->arguments = mez_alloc_array(use->argument_count + 1, sizeof *use->arguments);
    return use->arguments ? make_room_for_large(use) : mez_error_no_memory("a kernel's arguments");
}

// A kernel without hidden arguments, of a module whose kernels have some, can't reach an assert, whatever its image says.
static mez_error find_hidden(mez_kernel_use *use)
{
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    MEZ_TRY(ZE(zeKernelGetProperties, use->ze, &properties));
    use->posts = properties.numKernelArgs == use->argument_count + MEZ_HIDDEN_ARGUMENTS;
    if (use->posts)
        use->asserting_module = use->module;
    return mez_ok();
}

static mez_error find_asserts(mez_kernel_use *use)
{
    const mez_module *module = use->module;
    if (!use->code->may_assert)
        return mez_ok();
    if (module->posts)
        return find_hidden(use);
    if (module->assert_record || module->native_asserts)
        use->asserting_module = use->module;
    return mez_ok();
}

// A number that no use has: neither one whose plan was dropped, nor one with a platform's generation.
static const atomic_uint_fast64_t no_generation = UINT64_MAX - 1;

static mez_error use_init(mez_kernel_use *use, mez_kernel *kernel, mez_device *device)
{
    use->kernel = kernel;
    MEZ_TRY(choose_code(use, device));
    MEZ_TRY(make_room_for_arguments(use));
    for (size_t i = 0; i < use->argument_count; i++)
        use->arguments[i].kind = MEZ_ARG_UNKNOWN;
    use->platform = kernel->image->platform;
    use->free_count = &use->platform->memory->free_count;
    mez_kernel_use_drop_plan(use);
    use->next_variant = use->follows = use;
    MEZ_TRY(find_asserts(use));
    use->quick_generation =
        use->asserting_module ? &no_generation : &use->platform->allocation_generation;
    return mez_ok();
}

static mez_error use_new(mez_kernel *kernel, mez_device *device, mez_kernel_use **made)
{
    mez_kernel_use *use = mez_new(mez_kernel_use);
    if (!use)
        return mez_error_no_memory("a kernel");
    const mez_error error = use_init(use, kernel, device);
    if (mez_failed(error))
        use_free(use);
    else
        *made = use;
    return error;
}

static mez_kernel_use *take_spare(mez_kernel *kernel, const mez_device *device)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    mez_kernel_use *use = kernel->spare_uses;
    while (use && use->module->device != device)
        use = use->of_kernel.next;
    if (use)
        mez_linked_remove(use, of_kernel);
    pthread_mutex_unlock(&platform->kernel_uses->lock);
    return use;
}

bool mez_is_large_set(const mez_set_argument *set, const mez_arg *argument)
{
    return argument->kind == MEZ_ARG_VALUE && set->size == argument->size && argument->data &&
           memcmp(set->large, argument->data, argument->size) == 0;
}

void mez_kernel_use_give_back(mez_kernel_use *use)
{
    mez_platform *platform = use->kernel->image->platform;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    mez_linked_push(&use->kernel->spare_uses, use, of_kernel);
    pthread_mutex_unlock(&platform->kernel_uses->lock);
}

mez_error mez_kernel_use_borrow(mez_kernel *kernel, mez_device *device, mez_kernel_use **use)
{
    *use = take_spare(kernel, device);
    return *use ? mez_ok() : use_new(kernel, device, use);
}

mez_error mez_kernel_build_for(mez_kernel *kernel, mez_device *device)
{
    mez_kernel_use *use;
    MEZ_TRY(mez_kernel_use_borrow(kernel, device, &use));
    mez_kernel_use_give_back(use);
    return mez_ok();
}

static void link_use(mez_kernel_use *use, mez_kernel_use **queue_list)
{
    mez_platform *platform = use->kernel->image->platform;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    use->queue_list = queue_list;
    mez_linked_push(queue_list, use, of_queue);
    mez_linked_push(&use->kernel->uses, use, of_kernel);
    pthread_mutex_unlock(&platform->kernel_uses->lock);
}

mez_error mez_kernel_use_create(
    mez_kernel *kernel, mez_device *device, mez_kernel_use **queue_list, mez_kernel_use **use)
{
    MEZ_TRY(mez_kernel_use_borrow(kernel, device, use));
    link_use(*use, queue_list);
    return mez_ok();
}

void mez_kernel_use_make_spare(mez_kernel_use *use)
{
    mez_kernel *kernel = use->kernel;
    mez_platform *platform = kernel->image->platform;
    use->given_up = false;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    mez_linked_remove(use, of_kernel);
    mez_linked_remove(use, of_queue);
    mez_linked_push(&kernel->spare_uses, use, of_kernel);
    pthread_mutex_unlock(&platform->kernel_uses->lock);
}

void mez_kernel_uses_destroy_of_queue(mez_platform *platform, mez_kernel_use **queue_list)
{
    pthread_mutex_lock(&platform->kernel_uses->lock);
    mez_kernel_use *use;
    while ((use = *queue_list)) {
        mez_linked_remove(use, of_queue);
        mez_linked_remove(use, of_kernel);
        use_free(use);
    }
    pthread_mutex_unlock(&platform->kernel_uses->lock);
}

void mez_kernel_uses_destroy_of_kernel(mez_kernel *kernel)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    mez_kernel_use *use;
    while ((use = kernel->uses)) {
        mez_linked_remove(use, of_queue);
        mez_linked_remove(use, of_kernel);
        use_free(use);
    }
    while ((use = kernel->spare_uses)) {
        mez_linked_remove(use, of_kernel);
        use_free(use);
    }
    pthread_mutex_unlock(&platform->kernel_uses->lock);
}

void mez_kernel_uses_init(mez_kernel_uses *uses)
{
    pthread_mutex_init(&uses->lock, NULL);
}

void mez_kernel_uses_finish(mez_kernel_uses *uses)
{
    pthread_mutex_destroy(&uses->lock);
}
