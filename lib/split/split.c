// SPDX-License-Identifier: MIT
//
// Creating a split step by step, and looking into its images.

#include "split/split.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "base/version.h"
#include "check/check.h"
#include "spirv/declarations.h"
#include "spirv/extract.h"
#include "spirv/module.h"
#include "spirv/reach.h"
#include "split/parts.h"

// --- Checks
//
// Looking into each image for functions that ask for more than the kernels in it say, as happens where a function and the kernel
// that calls it come from different sources; and for variables that end up in several images, or in none.

typedef struct image_check {
    mez_split *split;
    const mez_split_params *params;
    mez_split_group *image;
    mez_aspects expected; // what the sources of the kernels know of
} image_check;

MEZ_PRINTF(2, 3) static void report(const image_check *check, const char *format, ...)
{
    if (!check->params->warn)
        return;
    mez_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&text, format, arguments);
    va_end(arguments);
    check->params->warn(check->params->user, mez_text_get(&text));
    mez_text_finish(&text);
}

// What the function asks for as far as its own source knows.
static const mez_aspects *aspects_at_home(const mez_split *split, uint32_t id)
{
    const uint32_t input = mez_split_input_of(split, id);
    const uint32_t function = mez_split_function_in(split, input, id);
    return &split->inputs[input].survey->functions[function].required;
}

static void check_aspects(image_check *check, const struct mez_spirv_function *function)
{
    const mez_aspects more =
        mez_aspects_except(aspects_at_home(check->split, function->id), &check->expected);
    mez_aspects_each(&more, aspect)
    {
        report(check,
            "warning: function '%s' uses aspect '%s' not expected by its calling kernel. Missing "
            "[[sycl::device_has()]] on SYCL_EXTERNAL function?",
            function->name, mez_aspect_name(aspect));
    }
    mez_aspects_unite(&check->image->aspects, &more);
}

// A kernel's body that another kernel calls was compiled for the first one's size.
static uint32_t sub_group_size_of(const mez_split *split, const struct mez_spirv_function *function)
{
    const uint32_t kernel = split->pieces->body_of[function - split->module->functions];
    const struct mez_spirv_modes *modes =
        kernel == MEZ_SPIRV_NO_INDEX ? &function->modes : &split->module->functions[kernel].modes;
    return modes->sub_group_size;
}

static void check_sub_group_size(image_check *check, const struct mez_spirv_function *function)
{
    const uint32_t size = sub_group_size_of(check->split, function);
    if (size == 0 || size == check->image->sub_group_sizes[0])
        return;
    report(check,
        "warning: function '%s' has required sub-group size '%" PRIu32
        "' that does not match its calling kernel.  Missing [[sycl::reqd_sub_group()]] attribute "
        "on SYCL_EXTERNAL function?",
        function->name, size);
    check->image->sub_group_sizes[1] = size;
}

static void check_fixed_targets(image_check *check, const struct mez_spirv_function *function)
{
    const mez_split *split = check->split;
    const mez_split_input *input = &split->inputs[mez_split_input_of(split, function->id)];
    const mez_split_root *root = &split->roots[split->order[check->image->first]];
    if (input->fixed_number == 0 || input->fixed_number == root->fixed_number)
        return;
    report(check,
        "warning: function '%s' compiled with a different `-fsycl-fixed-targets` switch than its "
        "calling kernel.",
        function->name);
    mez_fixed_set_cut(&check->image->fixed, &input->fixed);
}

// Names are for functions that other modules can see: what they call is counted with them.
static bool is_visible(const mez_split *split, const struct mez_spirv_function *function)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(split->module, function->id);
    return function->has_body && def->link && def->linkage != MEZ_LINKAGE_IMPORT;
}

static void check_function(image_check *check, const struct mez_spirv_function *function)
{
    if (!is_visible(check->split, function))
        return;
    if (check->image->has_fixed) {
        check_fixed_targets(check, function);
        return;
    }
    check_aspects(check, function);
    if (!mez_aspects_has(&check->image->aspects, MEZ_ASPECT_ext_intel_esimd))
        check_sub_group_size(check, function);
}

static enum mez_spirv_status check_image(image_check *check, struct mez_spirv_closure *closure,
    uint32_t *ids, struct mez_spirv_problem *problem)
{
    const mez_split *split = check->split;
    const mez_split_group *image = check->image;
    check->expected = (mez_aspects){0};
    for (uint32_t i = 0; i < image->count; i++) {
        ids[i] = split->roots[split->order[image->first + i]].id;
        mez_aspects_unite(&check->expected, aspects_at_home(split, ids[i]));
    }
    const enum mez_spirv_status status = mez_spirv_closure_run(closure, ids, image->count, problem);
    for (uint32_t i = 0; i < closure->found.count && !status; i++) {
        const struct mez_spirv_function *function =
            mez_spirv_piece_function(split->pieces, closure->found.items[i]);
        if (function)
            check_function(check, function);
    }
    return status;
}

// One source that has no kernels with a sub-group size has nothing that could differ.
static bool can_differ(const mez_split *split)
{
    for (uint32_t i = 0; i < split->root_count; i++) {
        if (split->roots[i].modes->sub_group_size)
            return true;
    }
    return split->input_count > 1;
}

static mez_error fill_image(const mez_split *split, mez_split_group *image)
{
    const mez_split_root *root = &split->roots[split->order[image->first]];
    image->has_fixed = root->fixed_number != 0;
    if (image->has_fixed)
        return mez_fixed_set_copy(&split->inputs[root->input].fixed, &image->fixed);
    image->aspects = root->aspects;
    image->sub_group_sizes[0] = root->modes->sub_group_size;
    return mez_ok();
}

// What the functions in each image ask for beyond what its kernels say: warned of, and added.
static mez_error check_images(mez_split *split, const mez_split_params *params)
{
    for (uint32_t i = 0; i < split->image_count; i++)
        MEZ_TRY(fill_image(split, &split->images[i]));
    if (!can_differ(split))
        return mez_ok();

    struct mez_spirv_problem problem = {0};
    struct mez_spirv_closure closure;
    image_check check = {.split = split, .params = params};
    uint32_t *ids = mez_alloc_array(split->root_count + 1, sizeof *ids);
    enum mez_spirv_status status = mez_spirv_closure_init(split->pieces, &problem, &closure);
    if (!ids)
        status = MEZ_SPIRV_NO_MEMORY;
    closure.code_only = true;
    for (uint32_t i = 0; i < split->image_count && !status; i++) {
        check.image = &split->images[i];
        status = check_image(&check, &closure, ids, &problem);
    }
    mez_spirv_closure_finish(&closure);
    mez_free_memory(ids);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, "");
}

// --- Variables that several images get a copy of

#define MOST_NAMES 8

static const char *variable_name(const mez_split *split, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(split->module, id);
    const uint32_t word = def->link ? def->link : def->name;
    return word ? (const char *)(split->module->words + word) : "(nameless)";
}

// Roots that share something with root number `first`, itself included, up to MOST_NAMES of them; returns how many there are.
static uint32_t list_group(const mez_split *split, uint32_t first, mez_text *names)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < split->root_count; i++) {
        if (split->sharing[i] != first)
            continue;
        if (count < MOST_NAMES)
            mez_text_add(names, "%s'%s'", count ? ", " : "", split->roots[i].name);
        count++;
    }
    return count;
}

static void warn_of_group(const mez_split *split, const mez_split_params *params, uint32_t first)
{
    mez_text names = {0}, text = {0};
    const uint32_t count = list_group(split, first, &names);
    if (count > MOST_NAMES)
        mez_text_add(&names, " and %u more", (unsigned)(count - MOST_NAMES));
    mez_text_add(&text,
        "warning: %s share variable '%s' and go to different images: each image has a copy of its "
        "own",
        mez_text_get(&names), variable_name(split, split->shared_variables[first]));
    params->warn(params->user, mez_text_get(&text));
    mez_text_finish(&text);
    mez_text_finish(&names);
}

// Whether this is the first root that is not in the image of the first of its group.
static bool leaves_its_group(const mez_split *split, uint32_t root)
{
    return split->roots[root].image != split->roots[split->sharing[root]].image;
}

static void warn_of_sharing(const mez_split *split, const mez_split_params *params)
{
    if (!params->warn)
        return;
    // Once reported, a group's variable is forgotten: 0 stands for it.
    for (uint32_t i = 0; i < split->root_count; i++) {
        const uint32_t first = split->sharing[i];
        if (!leaves_its_group(split, i) || !split->shared_variables[first])
            continue;
        warn_of_group(split, params, first);
        split->shared_variables[first] = 0;
    }
}

// --- Exported variables that no image has

static mez_error reach_all(const mez_split *split, struct mez_spirv_reach **reach)
{
    struct mez_spirv_problem problem;
    uint32_t *functions = mez_alloc_array(split->root_count + 1u, sizeof *functions);
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    for (uint32_t i = 0; functions && i < split->root_count; i++)
        functions[i] = split->roots[i].function;
    if (functions)
        status =
            mez_spirv_reach_create(split->module, functions, split->root_count, &problem, reach);
    mez_free_memory(functions);
    return status ? mez_error_no_memory("splitting device code") : mez_ok();
}

// What declares aspects is for us, and goes for good.
static bool is_lost(const struct mez_spirv_reach *reach, const struct mez_spirv_symbol *export)
{
    const size_t length = sizeof MEZ_SPIRV_DEVICE_HAS_VARIABLE - 1;
    return !export->is_function && !mez_spirv_reaches(reach, export->id) &&
           strncmp(export->name, MEZ_SPIRV_DEVICE_HAS_VARIABLE, length) != 0;
}

static void warn_of_lost(const mez_split_params *params, const char *name)
{
    mez_text text = {0};
    mez_text_add(&text,
        "warning: exported variable '%s' is used by no kernel or exported function, and goes to no "
        "image",
        name);
    params->warn(params->user, mez_text_get(&text));
    mez_text_finish(&text);
}

static mez_error warn_of_variables(const mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_reach *reach = NULL;
    if (!params->warn)
        return mez_ok();
    MEZ_TRY(reach_all(split, &reach));
    for (uint32_t i = 0; i < split->module->export_count; i++)
        if (is_lost(reach, &split->module->exports[i]))
            warn_of_lost(params, split->module->exports[i].name);
    mez_spirv_reach_destroy(&reach);
    return mez_ok();
}

// Reports what the functions in each image ask for beyond what its kernels say, and adds it; reports variables that end up in
// several images, and exported ones that end up in none.
static mez_error check_split(mez_split *split, const mez_split_params *params)
{
    MEZ_TRY(check_images(split, params));
    warn_of_sharing(split, params);
    return warn_of_variables(split, params);
}

// --- The split

static mez_error warn_of_source(
    const mez_split_input *input, const mez_split_source *source, const mez_split_params *params)
{
    mez_fixed_targets targets;
    if (source->fixed_target_count == 0)
        return mez_ok();
    MEZ_TRY(mez_fixed_targets_of(source->fixed_targets, source->fixed_target_count, &targets));
    const mez_error error =
        mez_fixed_targets_warn(&targets, input->survey, params->warn, params->user);
    mez_fixed_targets_finish(&targets);
    return error;
}

// What the fixed targets of each source lack, as far as that source knows by itself.
static mez_error warn_of_fixed_targets(const mez_split *split, const mez_split_params *params)
{
    for (uint32_t i = 0; params->warn && i < split->input_count; i++)
        MEZ_TRY(warn_of_source(&split->inputs[i], &params->sources[i], params));
    return mez_ok();
}

static mez_error make_split(mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_problem problem = {0};
    MEZ_TRY(mez_split_read_sources(split, params));
    MEZ_TRY(mez_split_link_sources(split));
    MEZ_TRY(mez_split_spirv_error(mez_spirv_pieces_create(split->module, &problem, &split->pieces),
        &problem, MEZ_ERRC_INVALID_IMAGE, ""));
    MEZ_TRY(mez_split_place_roots(split, params));
    MEZ_TRY(check_split(split, params));
    return warn_of_fixed_targets(split, params);
}

static mez_error check_source(const mez_split_source *source, uint32_t index)
{
    MEZ_TRY_RESERVED(mez_split_source, source);
    const char *missing = !source->code ? "code" : (!source->name ? "name" : NULL);
    if (source->fixed_target_count > 0 && !source->fixed_targets)
        missing = "fixed_targets";
    for (uint32_t i = 0; !missing && i < source->fixed_target_count; i++)
        if (!source->fixed_targets[i])
            missing = "fixed target";
    return missing ? mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                         "mez_split_create: %s of source %u is NULL", missing, (unsigned)index)
                   : mez_ok();
}

static mez_error check_params(const mez_split_params *params)
{
    MEZ_REQUIRE_OF("mez_split_create", params, NULL);
    MEZ_REQUIRE_OF("mez_split_create", params->sources, NULL);
    MEZ_TRY_RESERVED(mez_split_params, params);
    for (uint32_t i = 0; i < params->source_count; i++)
        MEZ_TRY(check_source(&params->sources[i], i));
    if (params->mode > MEZ_SPLIT_OFF)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "mez_split_create: %u is not a mez_split_mode", (unsigned)params->mode);
    return params->source_count > 0 ? mez_ok()
                                    : mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                                          "mez_split_create needs at least one source");
}

mez_error mez_split_create(const mez_split_params *params, mez_split **split)
{
    MEZ_REQUIRE(split, NULL);
    *split = NULL;
    MEZ_TRY(check_params(params));
    *split = mez_new(mez_split);
    if (!*split)
        return mez_error_no_memory("splitting device code");
    (*split)->writing = (mez_requirements_writing){
        .numbering = params->renumbered_aspects ? MEZ_ASPECTS_RENUMBERED : MEZ_ASPECTS_CLASSIC,
        .doc_names = params->doc_names,
    };
    (*split)->without_debug_info = params->without_debug_info;
    const mez_error error = make_split(*split, params);
    mez_free_memory((*split)->sharing);
    mez_free_memory((*split)->shared_variables);
    (*split)->sharing = (*split)->shared_variables = NULL;
    if (mez_failed(error))
        mez_split_destroy(split);
    return error;
}

static void finish_input(mez_split_input *input)
{
    mez_spirv_survey_destroy(&input->survey);
    mez_spirv_module_destroy(&input->module);
    mez_free_memory(input->fixed.values);
    mez_free_memory(input->name);
}

void mez_split_destroy(mez_split **split)
{
    if (!split)
        return;
    mez_split *old = *split;
    *split = NULL;
    if (!old)
        return;
    for (uint32_t i = 0; i < old->image_count; i++)
        mez_free_memory(old->images[i].fixed.values);
    mez_free_memory(old->images);
    mez_free_memory(old->order);
    mez_free_memory(old->roots);
    mez_spirv_pieces_destroy(&old->pieces);
    mez_spirv_survey_destroy(&old->linked_survey);
    mez_spirv_module_destroy(&old->linked_module);
    for (uint32_t i = 0; i < old->input_count; i++)
        finish_input(&old->inputs[i]);
    mez_free_memory(old->inputs);
    mez_free_memory(old);
}

uint32_t mez_split_get_image_count(const mez_split *split)
{
    return split ? split->image_count : 0;
}

const mez_requirements_writing *mez_split_get_writing(const mez_split *split)
{
    return &split->writing;
}
