// SPDX-License-Identifier: MIT

#include "build/build.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "base/version.h"
#include "build/jobs.h"
#include "child/scratch.h"
#include "child/words.h"
#include "container/bundle.h"
#include "filter/filter.h"

typedef struct image {
    char *name;
    mez_split_image made;
    bool as_spirv; // somebody wants the code itself
    bool compiled; // somebody wants native code
} image;

// One image for one target, by a program.
typedef struct job {
    uint32_t image, target;
    mez_file binary;
    mez_text printed;
} job;

typedef struct work {
    const mez_build_params *params;
    mez_scratch scratch;
    image *images;
    uint32_t image_count;
    MEZ_VECTOR(job) jobs; // by image, then by target
    mez_build *build;
} work;

static mez_error no_memory(void)
{
    return mez_error_no_memory("a build");
}

static mez_build_step step_of(const work *work, uint32_t image, uint32_t target)
{
    return (mez_build_step){
        .image = work->images[image].name,
        .kernels = (const char *const *)work->images[image].made.kernels.items,
        .kernel_count = work->images[image].made.kernels.count,
        .target = work->params->targets[target],
    };
}

// --- What has to be done

static bool needs_program(const mez_target *target)
{
    return *target->aot_toolchain != '\0';
}

// The number of the first of the targets that is this one.
static uint32_t first_of(const mez_build_params *params, uint32_t target)
{
    uint32_t first = 0;
    while (params->targets[first] != params->targets[target])
        first++;
    return first;
}

// Files of native code are named by their targets.
static mez_error check_names(const mez_build_params *params, uint32_t target)
{
    const mez_target *one = params->targets[target];
    for (uint32_t i = 0; i < target; i++) {
        const mez_target *other = params->targets[i];
        if (other != one && needs_program(other) && needs_program(one) &&
            strcmp(other->name, one->name) == 0)
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "mez_build_create: targets %u and %u of different tables are both called %s",
                (unsigned)i, (unsigned)target, one->name);
    }
    return mez_ok();
}

static mez_error check_targets(const mez_build_params *params)
{
    for (uint32_t i = 0; i < params->target_count; i++) {
        const mez_target *target = params->targets[i];
        if (!target)
            return mez_error_make(
                MEZ_ERRC_INVALID_PARAMETER, "mez_build_create: target %u is NULL", (unsigned)i);
        MEZ_TRY(check_names(params, i));
        if (needs_program(target) || mez_target_takes_spirv(target))
            continue;
        const mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "nothing can be built for %s: its devices do not accept SPIR-V, and no compiler for "
            "them is known",
            target->name);
        return mez_error_add(error, "advice",
            "leave it out, or name a program as aot-toolchain of %s in a device configuration file",
            target->name);
    }
    return mez_ok();
}

static mez_error add_job(work *work, uint32_t image, uint32_t target)
{
    const job job = {.image = image, .target = target};
    return mez_vector_push(&work->jobs, job) ? mez_ok() : no_memory();
}

static mez_error plan_target(
    work *work, uint32_t index, const mez_device_requirements *requirements, uint32_t target)
{
    const mez_build_params *params = work->params;
    const mez_build_step step = step_of(work, index, target);
    mez_text why = {0};
    const bool fits = mez_filter_fits(
        requirements, mez_split_get_writing(params->split)->numbering, step.target, &why);
    if (!fits && params->listener.leave_out)
        params->listener.leave_out(params->listener.user, &step, mez_text_get(&why));
    mez_text_finish(&why);
    if (!fits)
        return mez_ok();
    work->build->counts[target]++;
    if (!needs_program(step.target)) {
        work->images[index].as_spirv = true;
        return mez_ok();
    }
    work->images[index].compiled = true;
    return first_of(params, target) == target ? add_job(work, index, target) : mez_ok();
}

static mez_error plan_targets(work *work, uint32_t index)
{
    const image *image = &work->images[index];
    const mez_requirements_writing *writing = mez_split_get_writing(work->params->split);
    const mez_requirements_reading reading = {
        .numbering = writing->numbering,
        .doc_forms = writing->doc_names,
        .source = image->name,
    };
    mez_device_requirements requirements;
    MEZ_TRY(mez_device_requirements_read(&image->made.properties, &reading, &requirements));
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < work->params->target_count && !mez_failed(error); i++)
        error = plan_target(work, index, &requirements, i);
    mez_device_requirements_finish(&requirements);
    return error;
}

// Puts the code where the programs find it, and frees it where nobody else wants it.
static mez_error write_code(const work *work, uint32_t index)
{
    image *image = &work->images[index];
    if (image->compiled) {
        char *path = mez_print_string("%s/%u.spv", work->scratch.path, (unsigned)index);
        if (!path)
            return no_memory();
        const mez_error error = mez_file_write(
            path, image->made.code, (size_t)image->made.word_count * sizeof *image->made.code);
        mez_free_memory(path);
        MEZ_TRY(error);
    }
    if (!image->as_spirv) {
        mez_free_memory(image->made.code);
        image->made.code = NULL;
    }
    return mez_ok();
}

static mez_error plan(work *work)
{
    for (uint32_t i = 0; i < work->image_count; i++) {
        image *image = &work->images[i];
        if (mez_stop_is_set(work->params->stop))
            return mez_stopped("the build");
        MEZ_TRY(mez_split_make_image(work->params->split, i, &image->made));
        image->name = mez_print_string(
            "%s_%s%u", work->params->name, image->made.esimd ? "esimd_" : "", (unsigned)i);
        if (!image->name)
            return no_memory();
        MEZ_TRY(plan_targets(work, i));
        MEZ_TRY(write_code(work, i));
    }
    return mez_ok();
}

// --- Running the programs

#define KERNELS_NAMED 8

static mez_error explain(const mez_build_step *step, mez_error error)
{
    if (!mez_failed(error))
        return error;
    mez_text kernels = {0};
    for (size_t i = 0; i < step->kernel_count && i < KERNELS_NAMED; i++)
        mez_text_add(&kernels, "%s%s", i ? ", " : "", step->kernels[i]);
    if (step->kernel_count > KERNELS_NAMED)
        mez_text_add(&kernels, " and %zu more", step->kernel_count - KERNELS_NAMED);
    error = mez_error_headline(error, "%s can't be built for %s", step->image, step->target->name);
    error = mez_error_add(error, "kernels", "%-s", mez_text_get(&kernels));
    mez_text_finish(&kernels);
    return error;
}

static mez_error run_job(void *context, uint32_t index)
{
    const work *work = context;
    job *job = &work->jobs.items[index];
    const mez_build_step step = step_of(work, job->image, job->target);
    char code[32], result[32];
    snprintf(code, sizeof code, "%u.spv", (unsigned)job->image);
    snprintf(result, sizeof result, "%u_%u.bin", (unsigned)job->image, (unsigned)job->target);
    const mez_aot aot = {
        .target = step.target,
        .options = work->params->aot_options,
        .folder = work->scratch.path,
        .code_name = code,
        .result_name = result,
        .stop = work->params->stop,
    };
    const mez_error error = mez_aot_compile(&aot, &job->printed, &job->binary);
    return mez_error_is(error, MEZ_ERRC_WRONG_STATE) ? error : explain(&step, error);
}

static void report_begin(void *context, uint32_t index)
{
    const work *work = context;
    const mez_build_listener *listener = &work->params->listener;
    const mez_build_step step =
        step_of(work, work->jobs.items[index].image, work->jobs.items[index].target);
    if (listener->begin)
        listener->begin(listener->user, &step, index + 1, work->jobs.count);
}

static void report_printed(const work *work)
{
    const mez_build_listener *listener = &work->params->listener;
    for (uint32_t i = 0; listener->printed && i < work->jobs.count; i++) {
        const job *job = &work->jobs.items[i];
        const mez_build_step step = step_of(work, job->image, job->target);
        if (job->printed.length > 0)
            listener->printed(listener->user, &step, mez_text_get(&job->printed));
    }
}

static uint32_t jobs_at_once(uint32_t wanted)
{
    const long processors = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        return 1;
    return processors < MEZ_MOST_CHILDREN ? (uint32_t)processors : MEZ_MOST_CHILDREN;
}

static mez_error run_programs(work *work)
{
    const mez_jobs jobs = {
        .count = work->jobs.count,
        .at_once = jobs_at_once(work->params->jobs),
        .run = run_job,
        .begun = report_begin,
        .context = work,
    };
    const mez_error error = mez_jobs_run(&jobs);
    report_printed(work);
    return error;
}

// --- The result

// Adds a binary with what all forms of an image have. The code becomes the bundle's, also after an error.
static mez_error add_binary(work *work, uint32_t index, void *code, size_t size,
    const mez_target *target, mez_binary **binary)
{
    mez_bundle *bundle = work->build->bundle;
    const image *image = &work->images[index];
    mez_container_bytes span = {.bytes = code, .size = size};
    MEZ_TRY(mez_bundle_keep(bundle, code));
    MEZ_TRY(target ? mez_bundle_print(bundle, &span.source, "%s for %s", image->name, target->name)
                   : mez_bundle_print(bundle, &span.source, "%s", image->name));
    MEZ_TRY(mez_bundle_add(bundle, &span, binary));
    (*binary)->module = index;
    MEZ_TRY(mez_properties_add_all(&(*binary)->properties, &image->made.properties, NULL));
    return mez_binary_set_kernels(
        bundle, *binary, (const char *const *)image->made.kernels.items, image->made.kernels.count);
}

static mez_error add_spirv(work *work, uint32_t index)
{
    mez_split_image *made = &work->images[index].made;
    const size_t size = (size_t)made->word_count * sizeof *made->code;
    uint32_t *code = made->code;
    mez_binary *binary;
    made->code = NULL;
    MEZ_TRY(add_binary(work, index, code, size, NULL, &binary));
    binary->format = MEZ_CODE_SPIRV;
    binary->target = "spir64";
    return mez_ok();
}

static bool is_cpu(const mez_target *target)
{
    return mez_target_has(target, MEZ_ASPECT_cpu) && !mez_target_has(target, MEZ_ASPECT_gpu);
}

static mez_error add_native(work *work, job *job)
{
    const mez_target *target = work->params->targets[job->target];
    const mez_file file = job->binary;
    mez_binary *binary;
    job->binary = (mez_file){0};
    MEZ_TRY(add_binary(work, job->image, file.bytes, file.size, target, &binary));
    binary->format = MEZ_CODE_NATIVE;
    binary->target = is_cpu(target) ? "spir64_x86_64" : "spir64_gen";
    return mez_bundle_print(work->build->bundle, &binary->arch, "%s", target->name);
}

static mez_error assemble(work *work)
{
    uint32_t job = 0;
    for (uint32_t i = 0; i < work->image_count; i++) {
        if (work->images[i].as_spirv)
            MEZ_TRY(add_spirv(work, i));
        for (; job < work->jobs.count && work->jobs.items[job].image == i; job++)
            MEZ_TRY(add_native(work, &work->jobs.items[job]));
    }
    return mez_ok();
}

// --- All of it

static mez_error prepare(work *work)
{
    mez_build *build = work->build = mez_new(mez_build);
    if (!build)
        return no_memory();
    build->bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    build->target_count = work->params->target_count;
    build->counts = mez_alloc_array(build->target_count + (size_t)1, sizeof *build->counts);
    work->image_count = build->image_count = mez_split_get_image_count(work->params->split);
    work->images = mez_alloc_array(work->image_count + 1, sizeof *work->images);
    if (!build->bundle || !build->counts || !work->images)
        return no_memory();
    build->bundle->budget = SIZE_MAX; // the images are our own
    return mez_scratch_init(&work->scratch);
}

static void finish(work *work)
{
    for (uint32_t i = 0; work->images && i < work->image_count; i++) {
        mez_free_memory(work->images[i].name);
        mez_split_image_finish(&work->images[i].made);
    }
    for (uint32_t i = 0; i < work->jobs.count; i++) {
        mez_file_finish(&work->jobs.items[i].binary);
        mez_text_finish(&work->jobs.items[i].printed);
    }
    mez_free_memory(work->images);
    mez_vector_finish(&work->jobs);
    mez_scratch_finish(&work->scratch);
}

// Here, as nobody reads them where no target has a compiler.
static mez_error check_options(const mez_build_params *params)
{
    mez_words words = {0};
    if (!params->aot_options)
        return mez_ok();
    const mez_error error = mez_words_split(&words, params->aot_options);
    mez_words_finish(&words);
    return error;
}

static mez_error check_params(const mez_build_params *params)
{
    MEZ_REQUIRE_OF("mez_build_create", params, NULL);
    MEZ_REQUIRE_OF("mez_build_create", params->split, NULL);
    MEZ_REQUIRE_OF("mez_build_create", params->name, NULL);
    MEZ_REQUIRE_OF("mez_build_create", params->targets, NULL);
    MEZ_TRY_RESERVED(mez_build_params, params);
    MEZ_TRY_RESERVED(mez_build_listener, &params->listener);
    MEZ_TRY(check_options(params));
    return check_targets(params);
}

mez_error mez_build_create(const mez_build_params *params, mez_build **build)
{
    MEZ_REQUIRE(build, NULL);
    *build = NULL;
    MEZ_TRY(check_params(params));
    mez_stop unused = MEZ_STOP_INIT;
    mez_build_params own = *params;
    own.stop = params->stop ? params->stop : &unused;
    work work = {.params = &own};
    mez_error error = prepare(&work);
    if (!mez_failed(error))
        error = plan(&work);
    if (!mez_failed(error))
        error = run_programs(&work);
    if (!mez_failed(error))
        error = assemble(&work);
    finish(&work);
    if (mez_failed(error))
        mez_build_destroy(&work.build);
    *build = work.build;
    return error;
}

void mez_build_destroy(mez_build **build)
{
    if (!build)
        return;
    mez_build *old = *build;
    *build = NULL;
    if (!old)
        return;
    mez_bundle_destroy(&old->bundle);
    mez_free_memory(old->counts);
    mez_free_memory(old);
}

uint32_t mez_build_get_image_count(const mez_build *build, uint32_t target)
{
    return build && target < build->target_count ? build->counts[target] : 0;
}
