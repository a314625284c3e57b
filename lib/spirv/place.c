// SPDX-License-Identifier: MIT
//
// Places of a survey, and the warnings that show them. The code that asks for an aspect, or uses an import, is searched breadth-first,
// through nodes that lead there only.

#include "spirv/survey.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "spirv/aspects.h"
#include "spirv/declarations.h"
#include "spirv/reach.h"

#define EVERY_IMPORT \
    (MEZ_SPIRV_NO_INDEX - 1) // no node has this number, so that the search goes everywhere

struct search {
    const struct mez_spirv_survey *survey;
    mez_aspect aspect;
    uint32_t import; // node that is looked for in the place of the aspect; MEZ_SPIRV_NO_INDEX: none
    // For each node one more than the node that it was found from, of the first its own; 0: not
    // found. Zeroed memory that nobody writes to costs nothing, so both may be as long as the module.
    uint32_t *parents;
    uint32_t *queue;
    uint32_t queued;
};

// --- The way

static const struct mez_spirv_function *function_at(const struct search *search, uint32_t node)
{
    return mez_spirv_node_function(search->survey->module, node);
}

static bool leads_there(const struct search *search, uint32_t node)
{
    const struct mez_spirv_survey_node *found = &search->survey->nodes[node];
    return search->import == MEZ_SPIRV_NO_INDEX ? mez_aspects_has(&found->required, search->aspect)
                                                : found->reaches_imports;
}

static void note(struct search *search, uint32_t node, uint32_t parent)
{
    if (search->parents[node] || !leads_there(search, node))
        return;
    search->parents[node] = parent + 1;
    search->queue[search->queued++] = node;
}

static bool asks(const struct search *search, uint32_t node)
{
    const struct mez_spirv_survey *survey = search->survey;
    const struct mez_spirv_function *function = function_at(search, node);
    if (search->import != MEZ_SPIRV_NO_INDEX)
        return node == search->import;
    if (!function)
        return false;
    const struct mez_spirv_function_needs *needs =
        &survey->functions[function - survey->module->functions];
    return mez_aspects_has(&needs->own, search->aspect) ||
           mez_aspects_has(&needs->declared, search->aspect);
}

// The nearest node that asks itself: where the aspect is required there is one.
static uint32_t find_asker(struct search *search, uint32_t from)
{
    note(search, from, from);
    for (uint32_t i = 0; i < search->queued; i++) {
        const uint32_t node = search->queue[i];
        if (asks(search, node))
            return node;
        struct mez_spirv_follow follow = mez_spirv_follow(search->survey->module, node);
        uint32_t used;
        while (mez_spirv_follow_next(&follow, &used))
            note(search, used, node);
    }
    return from;
}

// --- The place

static uint32_t find_instruction(
    const struct search *search, const struct mez_spirv_function *function)
{
    const struct mez_spirv_module *module = search->survey->module;
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        const mez_aspects asked = mez_spirv_instruction_aspects(module, search->survey->mode, in);
        if (mez_aspects_has(&asked, search->aspect))
            return in.at;
    }
    return search->aspect == MEZ_ASPECT_ext_intel_esimd
               ? mez_spirv_vector_compute_word(module, function)
               : 0;
}

static void fill_place(const struct search *search, const struct mez_spirv_function *function,
    struct mez_spirv_place *place)
{
    const struct mez_spirv_module *module = search->survey->module;
    const uint32_t word = find_instruction(search, function);
    place->function = function;
    place->declared = word == 0;
    place->word = word ? word : function->first;
    place->opcode = mez_spirv_instruction_at(module, place->word).opcode;
    if (word >= function->first)
        place->line = mez_spirv_source_line(module, function, word);
    else
        place->line = mez_spirv_first_line(module, function);
}

// --- The steps

// Where a function uses the node; a node that is found from it is used somewhere.
static uint32_t word_of_use(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function, uint32_t node)
{
    struct mez_spirv_follow follow =
        mez_spirv_follow(module, mez_spirv_function_node(module, function));
    uint32_t used;
    while (mez_spirv_follow_next(&follow, &used)) {
        if (used == node)
            return follow.in.at;
    }
    return function->first;
}

static struct mez_spirv_source_line line_of_use(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function, uint32_t node)
{
    return mez_spirv_source_line(module, function, word_of_use(module, function, node));
}

static uint32_t count_steps(const struct search *search, uint32_t node)
{
    uint32_t count = function_at(search, node) != NULL;
    while (search->parents[node] != node + 1) {
        node = search->parents[node] - 1;
        count += function_at(search, node) != NULL;
    }
    return count;
}

// From the last step to the first; a call stands in the function that the node behind it is found
// from.
static void fill_steps(const struct search *search, uint32_t node, struct mez_spirv_place *place)
{
    uint32_t step = place->step_count - 1;
    place->steps[step].function = function_at(search, node);
    while (search->parents[node] != node + 1) {
        const uint32_t used = node;
        node = search->parents[node] - 1;
        const struct mez_spirv_function *function = function_at(search, node);
        if (!function)
            continue;
        place->steps[step].call = line_of_use(search->survey->module, function, used);
        place->steps[--step].function = function;
    }
}

static void drop_wrapper(struct mez_spirv_place *place)
{
    struct mez_spirv_step *steps = place->steps;
    if (place->step_count < 2 || strcmp(steps[0].function->name, steps[1].function->name) != 0)
        return;
    memmove(steps, steps + 1, --place->step_count * sizeof *steps);
    steps[0].call = (struct mez_spirv_source_line){0};
}

static enum mez_spirv_status make_steps(
    const struct search *search, uint32_t node, struct mez_spirv_place *place)
{
    place->step_count = count_steps(search, node);
    place->steps = mez_alloc_array(place->step_count, sizeof *place->steps);
    if (!place->steps) {
        place->step_count = 0;
        return MEZ_SPIRV_NO_MEMORY;
    }
    fill_steps(search, node, place);
    drop_wrapper(place);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status find_place(struct search *search, uint32_t from, void *found)
{
    struct mez_spirv_place *place = found;
    const uint32_t asker = find_asker(search, from);
    const enum mez_spirv_status status = make_steps(search, asker, place);
    if (status)
        return status;
    fill_place(search, function_at(search, asker), place);
    // What an imported function is declared to use is used where it is called.
    if (!place->line.file)
        place->line = place->declared ? place->steps[place->step_count - 1].call : place->line;
    return MEZ_SPIRV_OK;
}

// The last function on the way to the import is the one that uses it, be it through a constant.
static enum mez_spirv_status find_user(struct search *search, uint32_t from, void *found)
{
    struct mez_spirv_place *place = found;
    const struct mez_spirv_module *module = search->survey->module;
    uint32_t used, user = find_asker(search, from);
    if (user != search->import)
        return MEZ_SPIRV_NOT_FOUND;
    do {
        used = user;
        user = search->parents[user] - 1;
    } while (!function_at(search, user));
    const enum mez_spirv_status status = make_steps(search, user, place);
    if (status)
        return status;
    place->function = function_at(search, user);
    place->word = word_of_use(module, place->function, used);
    place->opcode = mez_spirv_instruction_at(module, place->word).opcode;
    place->line = mez_spirv_source_line(module, place->function, place->word);
    return MEZ_SPIRV_OK;
}

struct import_list {
    const struct mez_spirv_symbol **items;
    uint32_t count;
};

static enum mez_spirv_status list_imports(struct search *search, uint32_t from, void *found)
{
    const struct mez_spirv_module *module = search->survey->module;
    struct import_list *list = found;
    list->items = mez_alloc_array(module->import_count, sizeof *list->items);
    if (!list->items)
        return MEZ_SPIRV_NO_MEMORY;
    find_asker(search, from);
    for (uint32_t i = 0; i < module->import_count; i++) {
        const struct mez_spirv_symbol *import = &module->imports[i];
        if (search->parents[mez_spirv_find_def(module, import->id)->global])
            list->items[list->count++] = import;
    }
    return MEZ_SPIRV_OK;
}

typedef enum mez_spirv_status find(struct search *search, uint32_t from, void *found);

static enum mez_spirv_status find_from(
    struct search *search, uint32_t function, find *find, void *found)
{
    const struct mez_spirv_module *module = search->survey->module;
    search->parents = mez_alloc_array(mez_spirv_node_count(module), sizeof *search->parents);
    search->queue = mez_alloc_array(mez_spirv_node_count(module), sizeof *search->queue);
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    if (search->parents && search->queue)
        status = find(search, mez_spirv_function_node(module, &module->functions[function]), found);
    mez_free_memory(search->queue);
    mez_free_memory(search->parents);
    return status;
}

enum mez_spirv_status mez_spirv_survey_find_use(const struct mez_spirv_survey *survey,
    uint32_t function, mez_aspect aspect, struct mez_spirv_place *place)
{
    *place = (struct mez_spirv_place){0};
    if (!mez_aspects_has(&survey->functions[function].required, aspect))
        return MEZ_SPIRV_NOT_FOUND;
    struct search search = {.survey = survey, .aspect = aspect, .import = MEZ_SPIRV_NO_INDEX};
    return find_from(&search, function, find_place, place);
}

enum mez_spirv_status mez_spirv_survey_find_import(const struct mez_spirv_survey *survey,
    uint32_t function, const struct mez_spirv_symbol *import, struct mez_spirv_place *place)
{
    *place = (struct mez_spirv_place){0};
    if (!survey->functions[function].reaches_imports)
        return MEZ_SPIRV_NOT_FOUND;
    const struct mez_spirv_def *def = mez_spirv_find_def(survey->module, import->id);
    struct search search = {.survey = survey, .import = def->global};
    return find_from(&search, function, find_user, place);
}

enum mez_spirv_status mez_spirv_survey_list_imports(const struct mez_spirv_survey *survey,
    uint32_t function, const struct mez_spirv_symbol ***imports, uint32_t *count)
{
    struct import_list list = {0};
    struct search search = {.survey = survey, .import = EVERY_IMPORT};
    const enum mez_spirv_status status = survey->functions[function].reaches_imports
                                             ? find_from(&search, function, list_imports, &list)
                                             : MEZ_SPIRV_OK;
    *imports = list.items;
    *count = list.count;
    return status;
}

void mez_spirv_place_finish(struct mez_spirv_place *place)
{
    mez_free_memory(place->steps);
    *place = (struct mez_spirv_place){0};
}

// --- Warnings

struct warner {
    mez_spirv_report_warning *report;
    void *context;
};

static void emit(const struct warner *warner, mez_text *text)
{
    warner->report(warner->context, mez_text_get(text));
    mez_text_finish(text);
}

// --- Uses that are not declared

static void add_line(mez_text *text, const struct mez_spirv_source_line *line)
{
    mez_text_add(text, "%s:%u:%u", line->file, line->line, line->column);
}

static void add_step(mez_text *text, const struct mez_spirv_step *step)
{
    mez_text_add(text, "\n  %s()", step->function->name);
    if (!step->call.file)
        return;
    mez_text_add(text, " ");
    add_line(text, &step->call);
}

static void warn_of_use(const struct warner *warner, const struct mez_spirv_function *function,
    mez_aspect aspect, const struct mez_spirv_place *place)
{
    mez_text text = {0};
    if (place->line.file) {
        add_line(&text, &place->line);
        mez_text_add(&text, ": ");
    }
    mez_text_add(&text,
        "warning: function '%s' uses aspect '%s' not listed in 'sycl::device_has'\n"
        "use is from this call chain:",
        function->name, mez_aspect_name(aspect));
    for (uint32_t i = 0; i < place->step_count; i++)
        add_step(&text, &place->steps[i]);
    if (!place->line.file)
        mez_text_add(&text, "\ncompile with '-g' to get source location");
    emit(warner, &text);
}

static enum mez_spirv_status warn_of_function(
    const struct mez_spirv_survey *survey, uint32_t index, const struct warner *warner)
{
    const struct mez_spirv_function_needs *needs = &survey->functions[index];
    const mez_aspects undeclared = mez_aspects_except(&needs->used, &needs->declared);
    mez_aspects_each(&undeclared, aspect)
    {
        struct mez_spirv_place place;
        const enum mez_spirv_status status =
            mez_spirv_survey_find_use(survey, index, aspect, &place);
        if (status)
            return status;
        warn_of_use(warner, &survey->module->functions[index], aspect, &place);
        mez_spirv_place_finish(&place);
    }
    return MEZ_SPIRV_OK;
}

// A variable declares for a kernel's wrapper and its body, which have one name: the body speaks.
static enum mez_spirv_status warn_of_uses(
    const struct mez_spirv_survey *survey, const struct warner *warner)
{
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 0; !status && i < survey->module->function_count; i++) {
        const struct mez_spirv_function_needs *needs = &survey->functions[i];
        if (needs->has_declaration && !needs->is_wrapper && !needs->is_copy)
            status = warn_of_function(survey, i, warner);
    }
    for (uint32_t i = 0; !status && i < survey->module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *kernel = &survey->kernels[i];
        const uint32_t wrapper = kernel->kernel->function;
        if (survey->functions[wrapper].has_declaration && survey->functions[wrapper].is_wrapper &&
            !survey->functions[kernel->body].has_declaration)
            status = warn_of_function(survey, wrapper, warner);
    }
    return status;
}

// --- Declarations that say nothing

static void warn_of_name(const struct warner *warner,
    const struct mez_spirv_declaration *declaration, const char *name, size_t length)
{
    mez_text text = {0};
    const char *nearest = mez_aspect_suggest(name, length);
    mez_text_add(&text, "warning: function '%s' declares '%.*s', which is not an aspect",
        declaration->function, (int)(length < 80 ? length : 80), name);
    if (nearest)
        mez_text_add(&text, "; is '%s' meant?", nearest);
    emit(warner, &text);
}

static void check_declaration(void *context, const struct mez_spirv_declaration *declaration)
{
    const struct warner *warner = context;
    mez_text text = {0};
    if (declaration->found_count == 0) {
        mez_text_add(&text,
            "warning: aspects are declared for function '%s', which the module does not have",
            declaration->function);
        emit(warner, &text);
    }
    if (declaration->is_cut) {
        mez_text_add(&text,
            "warning: function '%s' declares more than all aspects: the end of its list is ignored",
            declaration->function);
        emit(warner, &text);
    }
    const char *rest = declaration->list, *name;
    size_t length;
    int32_t number;
    while ((name = mez_spirv_next_name(&rest, &length))) {
        if (mez_aspect_find(name, length) == MEZ_ASPECT_NONE &&
            !mez_spirv_internal_aspect(name, length, &number))
            warn_of_name(warner, declaration, name, length);
    }
}

enum mez_spirv_status mez_spirv_survey_warn(const struct mez_spirv_survey *survey,
    mez_spirv_report_warning *report, void *context, struct mez_spirv_problem *problem)
{
    struct warner warner = {.report = report, .context = context};
    enum mez_spirv_status status =
        mez_spirv_each_declaration(survey->module, check_declaration, &warner, problem);
    if (!status)
        status = warn_of_uses(survey, &warner);
    if (status)
        mez_spirv_fail(problem, status, 0, "no memory to report a module's declarations");
    return status;
}
