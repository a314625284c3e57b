// SPDX-License-Identifier: MIT

#include "image/build.h"

#include "base/alloc.h"

mez_error mez_part_builds_create(mez_part *part)
{
    const mez_platform *platform = part->image->platform;
    part->builds = mez_alloc_array(platform->device_total, sizeof *part->builds);
    if (!part->builds)
        return mez_error_no_memory("an image's modules");
    for (uint32_t i = 0; i < platform->device_total; i++) {
        pthread_mutex_init(&part->builds[i].lock, NULL);
        part->builds[i].part = part;
        part->builds[i].device = &platform->devices[i];
    }
    return mez_ok();
}

static void forget_modules(mez_part_build *build)
{
    for (uint32_t i = 0; i < build->module_count; i++)
        mez_module_destroy(&build->modules[i]);
    mez_free_memory(build->modules);
    build->modules = NULL;
    build->module_count = 0;
}

void mez_part_builds_destroy(mez_part *part)
{
    for (uint32_t i = 0; part->builds && i < part->image->platform->device_total; i++) {
        forget_modules(&part->builds[i]);
        pthread_mutex_destroy(&part->builds[i].lock);
    }
    mez_free_memory(part->builds);
    part->builds = NULL;
}

// --- Whole or split

static bool is_for_want_of_memory(mez_error error)
{
    return mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
}

static mez_error can_all_run(mez_part *part, const mez_device *device, bool *can)
{
    MEZ_TRY(mez_supports_exports(part, device, can));
    for (uint32_t i = 0; *can && i < part->code.spirv->entry_point_count; i++) {
        const mez_error error = mez_part_judge_kernel(part, i, device, false);
        if (is_for_want_of_memory(error))
            return error;
        *can = !mez_failed(error);
    }
    return mez_ok();
}

static mez_error are_all_linked(mez_part *part, bool *all)
{
    mez_link link;
    const mez_error error = mez_link_of_part(part, &link);
    *all = link.unresolved.count == 0;
    mez_link_finish(&link);
    return error;
}

static mez_error set_way(mez_part_build *build, mez_part_build_way way)
{
    const uint32_t count =
        way == MEZ_PART_BUILD_WHOLE ? 1 : build->part->code.spirv->entry_point_count;
    mez_module **modules = mez_alloc_array(count, sizeof *modules);
    if (!modules)
        return mez_error_no_memory("an image's modules");
    forget_modules(build);
    build->modules = modules;
    build->module_count = count;
    build->way = way;
    return mez_ok();
}

static mez_error decide(mez_part_build *build)
{
    bool whole = true;
    if (!mez_part_is_native(build->part)) {
        MEZ_TRY(can_all_run(build->part, build->device, &whole));
        if (whole)
            MEZ_TRY(are_all_linked(build->part, &whole));
    }
    if (!whole)
        mez_log(IMAGE, INFO,
            "\"%s\": device \"%s\" can't run all kernels; each gets its own module",
            build->part->image->name, build->device->info.name);
    return set_way(build, whole ? MEZ_PART_BUILD_WHOLE : MEZ_PART_BUILD_SPLIT);
}

// --- The whole

static mez_error list_wanted(const mez_part_build *build, const mez_groups *groups, uint32_t first,
    mez_wanted_kernels *wanted)
{
    const struct mez_spirv_module *spirv = build->part->code.spirv;
    wanted->names = mez_alloc_array(spirv->entry_point_count + 1u, sizeof *wanted->names);
    if (!wanted->names)
        return mez_error_no_memory("the names of kernels");
    for (uint32_t i = 0; i < spirv->entry_point_count; i++)
        if (!groups || groups->firsts[i] == first)
            wanted->names[wanted->count++] = spirv->entry_points[i].name;
    return mez_ok();
}

static mez_error build_spirv(mez_part_build *build, const mez_selection *selection,
    const mez_link *link, mez_module **module)
{
    mez_wanted_kernels wanted = {0};
    MEZ_TRY(list_wanted(build, selection->groups, selection->first, &wanted));
    const mez_error error = mez_module_create(selection, link, &wanted, build->device, module);
    mez_free_memory(wanted.names);
    return error;
}

static mez_error build_native(mez_part_build *build, const char *kernel)
{
    const mez_selection selection = {.part = build->part};
    const mez_wanted_kernels wanted = {.names = &kernel, .count = kernel ? 1 : 0};
    const mez_link alone = {0};
    return mez_module_create(&selection, &alone, &wanted, build->device, &build->modules[0]);
}

static mez_error build_whole(mez_part_build *build)
{
    const mez_selection selection = {.part = build->part};
    mez_link link;
    mez_error error = mez_link_of_part(build->part, &link);
    if (!mez_failed(error))
        error = build_spirv(build, &selection, &link, &build->modules[0]);
    mez_link_finish(&link);
    return error;
}

// --- By groups

static mez_error check_mate(
    mez_part_build *build, const mez_groups *groups, uint32_t kernel, uint32_t mate)
{
    const mez_error error = mez_part_judge_kernel(build->part, mate, build->device, true);
    if (!mez_failed(error) || is_for_want_of_memory(error))
        return error;
    const struct mez_spirv_kernel_needs *kernels = build->part->code.survey->kernels;
    return mez_error_headline(error,
        "kernel \"%s\" can't be taken out of \"%s\" alone: kernel \"%s\", which uses the same "
        "variable %s, can't run on device \"%s\"",
        kernels[kernel].kernel->name, build->part->image->name, kernels[mate].kernel->name,
        mez_groups_shared_name(build->part, groups, kernel), build->device->info.name);
}

static mez_error list_group(
    const mez_groups *groups, uint32_t first, uint32_t **kernels, uint32_t *count)
{
    *count = 0;
    *kernels = mez_alloc_array(groups->count + 1u, sizeof **kernels);
    if (!*kernels)
        return mez_error_no_memory("an image's kernels");
    for (uint32_t i = first; i < groups->count; i++)
        if (groups->firsts[i] == first)
            (*kernels)[(*count)++] = i;
    return mez_ok();
}

static mez_error build_kernels(mez_part_build *build, const mez_groups *groups, uint32_t kernel,
    const uint32_t *kernels, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (kernels[i] != kernel)
            MEZ_TRY(check_mate(build, groups, kernel, kernels[i]));
    const mez_selection selection = {build->part, groups, groups->firsts[kernel]};
    mez_link link;
    mez_error error = mez_link_of_kernels(build->part, kernels, count, &link);
    if (!mez_failed(error))
        error = build_spirv(build, &selection, &link, &build->modules[selection.first]);
    mez_link_finish(&link);
    return error;
}

static mez_error build_group(mez_part_build *build, const char *name, mez_module **module)
{
    const mez_groups *groups;
    uint32_t kernel = 0, *kernels = NULL, count = 0;
    MEZ_TRY(mez_part_find_kernel(build->part, name, &kernel));
    MEZ_TRY(mez_groups_get(build->part, &groups));
    mez_module **built = &build->modules[groups->firsts[kernel]];
    mez_error error = mez_ok();
    if (!*built) {
        MEZ_TRY(list_group(groups, groups->firsts[kernel], &kernels, &count));
        error = build_kernels(build, groups, kernel, kernels, count);
        mez_free_memory(kernels);
    }
    *module = *built;
    return error;
}

// --- Getting one

static bool is_of_the_code(mez_error error)
{
    return mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM) ||
           mez_error_is(error, MEZ_ERRC_LINK_PROGRAM) || mez_error_is(error, MEZ_ERRC_KERNEL);
}

// True: the whole could not be built, and there are parts of it to try.
static mez_error fall_apart(mez_part_build *build, mez_error refusal, bool *apart)
{
    const mez_groups *groups;
    *apart = false;
    if (mez_part_is_native(build->part) || !is_of_the_code(refusal))
        return refusal;
    MEZ_TRY(mez_groups_get(build->part, &groups));
    if (groups->group_count < 2)
        return refusal;
    mez_log(IMAGE, WARN,
        "\"%s\": the kernels can't be built together for device \"%s\", so each gets "
        "its own module",
        build->part->image->name, build->device->info.name);
    mez_log_error(MEZ_TOPIC_IMAGE, refusal);
    *apart = true;
    return set_way(build, MEZ_PART_BUILD_SPLIT);
}

static mez_error get_locked(mez_part_build *build, const char *kernel, mez_module **module)
{
    if (build->way == MEZ_PART_BUILD_UNDECIDED)
        MEZ_TRY(decide(build));
    if (build->way == MEZ_PART_BUILD_SPLIT)
        return build_group(build, kernel, module);
    mez_error error = mez_ok();
    if (!build->modules[0])
        error = mez_part_is_native(build->part) ? build_native(build, kernel) : build_whole(build);
    bool apart = false;
    if (mez_failed(error))
        error = fall_apart(build, error, &apart);
    if (mez_failed(error))
        return error;
    if (apart)
        return build_group(build, kernel, module);
    *module = build->modules[0];
    return error;
}

mez_error mez_part_build_get(
    mez_part *part, const char *kernel, mez_device *device, mez_module **module)
{
    mez_part_build *build = &part->builds[device->index];
    pthread_mutex_lock(&build->lock);
    const mez_error error = get_locked(build, kernel, module);
    pthread_mutex_unlock(&build->lock);
    return error;
}
