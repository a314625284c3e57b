// SPDX-License-Identifier: MIT
//
// Program-scope variables of a kernel's code: where they lie on a device.

#include <string.h>

#include "base/text.h"
#include "device/platform.h"
#include "image/build.h"
#include "kernel/use.h"
#include "traced_calls.h"

// --- What the code says

// Where a variable is looked for: in the part itself, then in those that the kernel is linked with.
typedef struct search {
    const char *name;
    mez_part *part;
    mez_link link;
} search;

static uint32_t count_parts(const search *search)
{
    return search->link.inputs.count + 1;
}

static const mez_part *part_at(const search *search, uint32_t index)
{
    return index == 0 ? search->part : search->link.inputs.items[index - 1].part;
}

static const struct mez_spirv_module *spirv_at(const search *search, uint32_t index)
{
    return index == 0 ? search->part->code.spirv : search->link.inputs.items[index - 1].code->spirv;
}

static mez_error begin(const mez_kernel *kernel, search *search)
{
    uint32_t number;
    MEZ_TRY(mez_part_find_kernel(search->part, kernel->name, &number));
    return mez_link_of_kernels(search->part, &number, 1, &search->link);
}

static bool exports(const struct mez_spirv_module *spirv, const char *name)
{
    for (uint32_t i = 0; i < spirv->export_count; i++)
        if (!spirv->exports[i].is_function && strcmp(spirv->exports[i].name, name) == 0)
            return true;
    return false;
}

static bool is_variable(const struct mez_spirv_module *spirv, const struct mez_spirv_def *def)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(spirv, def->word);
    return in.opcode == MEZ_OP_Variable && (in.words[3] == MEZ_STORAGE_CROSS_WORKGROUP ||
                                               in.words[3] == MEZ_STORAGE_UNIFORM_CONSTANT);
}

static bool has_static(const struct mez_spirv_module *spirv, const char *name)
{
    for (uint32_t i = 0; i < spirv->global_count; i++) {
        const struct mez_spirv_def *def = &spirv->defs[spirv->globals[i]];
        if (def->link == 0 && def->name != 0 && is_variable(spirv, def) &&
            strcmp((const char *)(spirv->words + def->name), name) == 0)
            return true;
    }
    return false;
}

// The first part with a variable of that name, exported or static; NULL: there is none.
static const mez_part *find_part(
    const search *search, bool (*has)(const struct mez_spirv_module *spirv, const char *name))
{
    for (uint32_t i = 0; i < count_parts(search); i++)
        if (has(spirv_at(search, i), search->name))
            return part_at(search, i);
    return NULL;
}

// All that are exported, with commas between, and the one that the name may have meant.
static void list_names(const search *search, mez_text *list, mez_spelling *spelling)
{
    for (uint32_t i = 0; i < count_parts(search); i++) {
        const struct mez_spirv_module *spirv = spirv_at(search, i);
        for (uint32_t j = 0; j < spirv->export_count; j++) {
            const struct mez_spirv_symbol *export = &spirv->exports[j];
            if (export->is_function)
                continue;
            mez_text_add(list, "%s%s", list->length > 0 ? ", " : "", export->name);
            mez_spelling_offer(spelling, export->name);
        }
    }
}

// --- Errors

static mez_error refuse_static(const mez_part *owner, const char *name)
{
    return mez_error_add(
        mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "variable \"%s\" of \"%s\" is not exported, so that drivers do not know its name", name,
            owner->image->name),
        "advice", "remove \"static\" from its declaration");
}

static mez_error refuse_unknown(const search *search)
{
    mez_text list = {0};
    mez_spelling spelling = mez_spelling_of(search->name, strlen(search->name));
    mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "\"%s\" has no variable \"%s\"",
        search->part->image->name, search->name);
    list_names(search, &list, &spelling);
    if (spelling.nearest)
        error = mez_error_add(error, "perhaps meant", "%s", spelling.nearest);
    error = mez_error_add(error, "its variables", "%s",
        list.length > 0 ? mez_text_get(&list)
                        : "none that is exported (in OpenCL C they are declared \"global\" "
                          "or \"constant\" outside functions, and not \"static\")");
    mez_text_finish(&list);
    return error;
}

static mez_error explain_hidden(const mez_kernel_use *use, const mez_part *owner, const char *name)
{
    const mez_module *module = use->module;
    const mez_error error = mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "device \"%s\" has no address for variable \"%s\" of \"%s\"", module->device->info.name,
        name, owner->image->name);
    if (mez_part_is_native(owner))
        return mez_error_add(error, "because",
            "the code is native, and its driver knows no variable of that name; it shows none "
            "where the code was compiled without \"-ze-take-global-address\"");
    if (module->of_group)
        return mez_error_add(error, "because",
            "each kernel is built by itself there, and \"%s\" does not use the variable",
            use->kernel->name);
    if (owner != use->code->part)
        return mez_error_add(error, "because",
            "of what is linked with \"%s\" only what its kernels use is taken, and none of them "
            "uses the variable, unless its driver hides it",
            use->kernel->image->name);
    return mez_error_add(error, "because",
        "its driver hides the variable, or its compiler has removed it, though "
        "\"-ze-take-global-address\" asks for it");
}

// --- The call

// The part whose variable it is.
static mez_error find_owner(const mez_kernel_use *use, const char *name, const mez_part **owner)
{
    search search = {.name = name, .part = use->code->part};
    *owner = search.part;
    if (mez_part_is_native(search.part))
        return mez_ok();
    mez_error error = begin(use->kernel, &search);
    if (!mez_failed(error)) {
        *owner = find_part(&search, exports);
        const mez_part *hides = *owner ? NULL : find_part(&search, has_static);
        if (!*owner)
            error = hides ? refuse_static(hides, name) : refuse_unknown(&search);
    }
    mez_link_finish(&search.link);
    return error;
}

static mez_error ask(const mez_kernel_use *use, const char *name, void **pointer, size_t *size)
{
    bool found = false;
    const mez_part *owner;
    MEZ_TRY(find_owner(use, name, &owner));
    MEZ_TRY(mez_module_find_variable(use->module, owner, name, &found, pointer, size));
    return found ? mez_ok() : explain_hidden(use, owner, name);
}

// Drivers may have written what they found before they failed.
static mez_error find(
    mez_kernel *kernel, mez_device *device, const char *name, void **pointer, size_t *size)
{
    mez_kernel_use *use;
    void *place = NULL;
    size_t bytes = 0;
    MEZ_TRY(mez_platform_device(kernel->image->platform, device, &device));
    MEZ_TRY(mez_kernel_use_borrow(kernel, device, &use));
    const mez_error error = ask(use, name, &place, &bytes);
    mez_kernel_use_give_back(use);
    if (mez_failed(error))
        return error;
    *pointer = place;
    if (size)
        *size = bytes;
    return error;
}

MEZ_TRACE_BODY mez_error get_variable(const mez_location *where, mez_kernel *kernel,
    mez_device *device, const char *name, void **pointer, size_t *size)
{
    const mez_error error = find(kernel, device, name, pointer, size);
    return mez_platform_note_loss(kernel->image->platform, mez_error_add_place(error, where));
}

MEZ_TRACED_CALL(mez_kernel_get_variable, get_variable)

mez_error mez_kernel_get_variable_at(const mez_location *where, mez_kernel *kernel,
    mez_device *device, const char *name, void **pointer, size_t *size)
{
    if (size)
        *size = 0;
    MEZ_REQUIRE(pointer, where);
    *pointer = NULL;
    MEZ_REQUIRE(kernel, where);
    MEZ_REQUIRE(name, where);
    MEZ_TRACE_CALL(
        mez_kernel_get_variable, where, get_variable, where, kernel, device, name, pointer, size);
}
