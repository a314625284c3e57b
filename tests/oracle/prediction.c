// SPDX-License-Identifier: MIT
//
// Every step is the library's own: read, survey, take the kernel out, ask what a target has.

#include "prediction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/spirv/files.h"
#include "base/alloc.h"
#include "spirv/extract.h"
#include "spirv/module.h"
#include "spirv/rewrite.h"
#include "spirv/survey.h"
#include "verdict.h"

// --- One kernel

static struct prediction *add(struct predictions *predictions)
{
    if (predictions->count == predictions->room) {
        const size_t room = predictions->room ? 2 * predictions->room : 64;
        struct prediction *items = realloc(predictions->items, room * sizeof *items);
        if (!items)
            return NULL;
        predictions->items = items;
        predictions->room = room;
    }
    struct prediction *prediction = &predictions->items[predictions->count++];
    *prediction = (struct prediction){0};
    return prediction;
}

static char *name_kernel(const char *path, const char *kernel)
{
    const char *file = strrchr(path, '/');
    file = file ? file + 1 : path;
    char *name;
    const int length = (int)strcspn(file, ".");
    return asprintf(&name, "%.*s: %s", length, file, kernel) < 0 ? NULL : name;
}

static bool knows_vectors(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->type_count; i++) {
        const struct mez_spirv_type *type = &module->types[i];
        if (type->opcode == MEZ_OP_TypeVector && type->holds & MEZ_HOLDS_DOUBLE)
            return true;
    }
    return false;
}

// What is taken out has to use what it used before; declarations may stay behind.
static bool uses_the_same(const struct mez_spirv_survey *before,
    const struct mez_spirv_kernel_needs *needs, const struct mez_spirv_survey *after)
{
    const struct mez_spirv_kernel_needs *left =
        mez_spirv_survey_find_kernel(after, needs->kernel->name);
    if (!left)
        return false;
    const mez_aspects lost = mez_aspects_except(&needs->used, &left->used);
    const mez_aspects new = mez_aspects_except(&left->used, &needs->used);
    bool same = mez_aspects_next(&new, (mez_aspect)0) == MEZ_ASPECT_COUNT;
    mez_aspects_each(&lost, aspect) same =
        same && is_declared(before, needs->kernel->function, aspect);
    return same;
}

static bool look_again(const struct mez_spirv_survey *before,
    const struct mez_spirv_kernel_needs *needs, struct prediction *prediction)
{
    struct mez_spirv_problem problem;
    struct mez_spirv_module *module = NULL;
    struct mez_spirv_survey *after = NULL;
    bool same = false;
    if (!mez_spirv_module_create(prediction->words,
            prediction->word_count * sizeof *prediction->words, &problem, &module) &&
        !mez_spirv_survey_create(module, MEZ_SURVEY_VALUES, &problem, &after)) {
        same = uses_the_same(before, needs, after);
        prediction->knows_vectors = knows_vectors(module);
    }
    mez_spirv_survey_destroy(&after);
    mez_spirv_module_destroy(&module);
    if (!same)
        fprintf(stderr, "%s: uses something else once it is taken out of its module\n",
            prediction->name);
    return same;
}

static bool take_out(const struct mez_spirv_pieces *pieces, const struct mez_spirv_survey *survey,
    const struct mez_spirv_kernel_needs *needs, struct prediction *prediction)
{
    struct mez_spirv_problem problem = {0};
    const uint32_t root = survey->module->functions[needs->kernel->function].id;
    if (mez_spirv_extract(
            pieces, &root, 1, NULL, &problem, &prediction->words, &prediction->word_count)) {
        fprintf(stderr, "%s: %s\n", prediction->name, problem.text);
        return false;
    }
    return look_again(survey, needs, prediction);
}

static bool predict_kernel(const char *path, const struct mez_spirv_survey *survey,
    const struct mez_spirv_pieces *pieces, const struct mez_spirv_kernel_needs *needs,
    struct predictions *predictions)
{
    struct prediction *prediction = add(predictions);
    if (!prediction || !(prediction->name = name_kernel(path, needs->kernel->name)) ||
        !take_out(pieces, survey, needs, prediction))
        return false;
    prediction->is_vector_compute = mez_aspects_has(&needs->used, MEZ_ASPECT_ext_intel_esimd);

    mez_requirements requirements = {.image = path, .kernel = needs->kernel->name};
    const bool ok = !mez_failed(mez_requirements_add_kernel(&requirements, survey, needs)) &&
                    judge_for_all(&requirements, prediction);
    mez_requirements_finish(&requirements);
    return ok;
}

// --- All of a module

// One without kernels, which others are to be linked with: everything in it counts.
static bool predict_library(
    const char *path, const struct mez_spirv_survey *survey, struct predictions *predictions)
{
    const struct mez_spirv_module *module = survey->module;
    struct prediction *prediction = add(predictions);
    if (!prediction || !(prediction->name = name_kernel(path, "all functions")) ||
        !(prediction->words = mez_alloc_array(module->word_count, sizeof *module->words)))
        return false;
    memcpy(prediction->words, module->words, module->word_count * sizeof *module->words);
    prediction->word_count = module->word_count;

    mez_requirements requirements = {.image = path};
    bool ok = true;
    for (uint32_t i = 0; ok && i < module->function_count; i++)
        ok = !mez_failed(mez_requirements_add_function(&requirements, survey, i));
    ok = ok && judge_for_all(&requirements, prediction);
    mez_requirements_finish(&requirements);
    return ok;
}

static bool predict_kernels(const char *path, const struct mez_spirv_survey *survey,
    const struct mez_spirv_pieces *pieces, struct predictions *predictions)
{
    const struct mez_spirv_module *module = survey->module;
    bool ok = true;
    for (uint32_t i = 0; ok && i < module->entry_point_count; i++) {
        if (module->entry_points[i].model == MEZ_MODEL_KERNEL)
            ok = predict_kernel(path, survey, pieces, &survey->kernels[i], predictions);
    }
    return ok;
}

static bool predict_all(
    const char *path, const struct mez_spirv_module *module, struct predictions *predictions)
{
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_survey *survey = NULL;
    struct mez_spirv_pieces *pieces = NULL;
    bool ok = !mez_spirv_survey_create(module, MEZ_SURVEY_VALUES, &problem, &survey) &&
              !mez_spirv_pieces_create(module, &problem, &pieces);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, problem.text);
    else if (module->entry_point_count == 0)
        ok = predict_library(path, survey, predictions);
    else
        ok = predict_kernels(path, survey, pieces, predictions);
    mez_spirv_pieces_destroy(&pieces);
    mez_spirv_survey_destroy(&survey);
    return ok;
}

bool predict_module(const char *path, struct predictions *predictions)
{
    size_t size;
    void *bytes = read_whole_file(path, &size);
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_module *module = NULL;
    bool ok = !mez_spirv_module_create(bytes, size, &problem, &module);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, problem.text);
    if (ok)
        mez_spirv_write_group_sizes(module); // as the runtime does
    ok = ok && predict_all(path, module, predictions);
    mez_spirv_module_destroy(&module);
    free(bytes);
    return ok;
}

void predictions_finish(struct predictions *predictions)
{
    for (size_t i = 0; i < predictions->count; i++) {
        free(predictions->items[i].name);
        mez_free_memory(predictions->items[i].words);
    }
    free(predictions->items);
    *predictions = (struct predictions){0};
}
