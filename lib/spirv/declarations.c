// SPDX-License-Identifier: MIT
//
// Finding the declarations. A list is put together in a buffer on the stack, so that many variables
// with one long initialiser can't ask for much memory.

#include "spirv/declarations.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define LONGEST_LIST 8192 // twice all names with "aspect::" in front

struct named {
    const char *name;
    uint32_t function;
};

struct search {
    const struct mez_spirv_module *module;
    mez_spirv_report_declaration *report;
    void *context;
    struct named *by_name; // all functions, once a variable asks; `functions` are their indexes
    uint32_t *functions;
};

// --- Functions by name

static int compare_named(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->function > right->function) - (left->function < right->function);
}

static bool sort_functions(struct search *search)
{
    const uint32_t count = search->module->function_count;
    search->by_name = mez_alloc_array(count ? count : 1, sizeof *search->by_name);
    search->functions = mez_alloc_array(count ? count : 1, sizeof *search->functions);
    if (!search->by_name || !search->functions)
        return false;
    for (uint32_t i = 0; i < count; i++)
        search->by_name[i] = (struct named){search->module->functions[i].name, i};
    qsort(search->by_name, count, sizeof *search->by_name, compare_named);
    for (uint32_t i = 0; i < count; i++)
        search->functions[i] = search->by_name[i].function;
    return true;
}

// Where functions of the name begin, or with `behind` end.
static uint32_t find_name(const struct search *search, const char *name, bool behind)
{
    uint32_t low = 0, high = search->module->function_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(search->by_name[middle].name, name);
        if (order < 0 || (behind && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_functions(const struct search *search, struct mez_spirv_declaration *declaration)
{
    const uint32_t first = find_name(search, declaration->function, false);
    declaration->found = search->functions + first;
    declaration->found_count = find_name(search, declaration->function, true) - first;
}

// --- Variables

// What a variable declares: the name behind the prefix; NULL: it is not a declaration.
static const char *declared_name(
    const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const uint32_t word = def->link ? def->link : def->name;
    const char *name = word ? (const char *)(module->words + word) : "";
    const size_t prefix = sizeof MEZ_SPIRV_DEVICE_HAS_VARIABLE - 1;
    const bool is_variable = def->function == MEZ_SPIRV_NO_INDEX &&
                             mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Variable;
    return is_variable && strncmp(name, MEZ_SPIRV_DEVICE_HAS_VARIABLE, prefix) == 0 ? name + prefix
                                                                                    : NULL;
}

// The instruction that initialises a variable; opcode OpNop where none does.
static struct mez_spirv_instruction initialiser(
    const struct mez_spirv_module *module, const struct mez_spirv_def *variable)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, variable->word);
    const struct mez_spirv_def *value =
        in.length > 4 ? mez_spirv_find_def(module, in.words[4]) : NULL;
    return mez_spirv_instruction_at(module, value ? value->word : module->word_count);
}

// An array of characters; a string of nulls is OpConstantNull, and empty as a missing one is.
static void read_characters(const struct mez_spirv_module *module,
    struct mez_spirv_instruction array, char list[LONGEST_LIST], bool *is_cut)
{
    uint32_t length = 0;
    for (uint32_t i = 3; array.opcode == MEZ_OP_ConstantComposite && i < array.length; i++) {
        uint64_t character = 0;
        if (!mez_spirv_constant(module, array.words[i], &character) || character == 0)
            break;
        *is_cut = length + 1 == LONGEST_LIST;
        if (*is_cut)
            break;
        list[length++] = (char)character;
    }
    list[length] = '\0';
}

static bool report_variable(struct search *search, const struct mez_spirv_def *def)
{
    struct mez_spirv_declaration declaration = {
        .limits = true,
        .function = declared_name(search->module, def),
    };
    if (!declaration.function)
        return true;
    if (!search->by_name && !sort_functions(search))
        return false;
    char list[LONGEST_LIST];
    const struct mez_spirv_instruction array = initialiser(search->module, def);
    read_characters(search->module, array, list, &declaration.is_cut);
    declaration.list = list;
    find_functions(search, &declaration);
    search->report(search->context, &declaration);
    return true;
}

// --- Decorations

static const char *behind(const char *text, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static void report_semantic(const struct search *search, uint32_t function, const char *semantic)
{
    const char *has = behind(semantic, MEZ_SPIRV_DEVICE_HAS_SEMANTIC);
    const char *uses = behind(semantic, MEZ_SPIRV_USES_ASPECTS_SEMANTIC);
    if (!has && !uses)
        return;
    const struct mez_spirv_declaration declaration = {
        .limits = has != NULL,
        .function = search->module->functions[function].name,
        .list = has ? has : uses,
        .found = &function,
        .found_count = 1,
    };
    search->report(search->context, &declaration);
}

static void report_decorations(const struct search *search, uint32_t function)
{
    const struct mez_spirv_module *module = search->module;
    struct mez_spirv_decoration_iter iter =
        mez_spirv_decorations(module, module->functions[function].id);
    struct mez_spirv_decoration decoration;
    while (mez_spirv_next_decoration(&iter, &decoration)) {
        const uint32_t *words = module->words + decoration.word;
        if (decoration.kind == MEZ_DECORATION_USER_SEMANTIC &&
            mez_spirv_string_words(words, decoration.length))
            report_semantic(search, function, (const char *)words);
    }
}

enum mez_spirv_status mez_spirv_each_declaration(const struct mez_spirv_module *module,
    mez_spirv_report_declaration *report, void *context, struct mez_spirv_problem *problem)
{
    struct search search = {.module = module, .report = report, .context = context};
    bool ok = true;
    for (uint32_t i = 0; ok && i < module->global_count; i++)
        ok = report_variable(&search, &module->defs[module->globals[i]]);
    for (uint32_t i = 0; ok && i < module->function_count; i++)
        report_decorations(&search, i);

    mez_free_memory(search.functions);
    mez_free_memory(search.by_name);
    return ok ? MEZ_SPIRV_OK
              : mez_spirv_fail(
                    problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a module's declarations");
}

const char *mez_spirv_next_name(const char **rest, size_t *length)
{
    static const char separators[] = ", \t\n";
    const char *name = *rest + strspn(*rest, separators);
    *length = strcspn(name, separators);
    *rest = name + *length;
    return *length ? name : NULL;
}

bool mez_spirv_internal_aspect(const char *name, size_t length, int32_t *number)
{
    int64_t value = 0;
    if (length < 2 || name[0] != '-')
        return false;
    for (size_t i = 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9' || value < INT32_MIN / 10)
            return false;
        value = value * 10 - (name[i] - '0');
    }
    *number = (int32_t)value;
    return value < 0 && value >= INT32_MIN;
}
