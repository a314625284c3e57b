// SPDX-License-Identifier: MIT
//
// Program-scope variables of a kernel's code: where they lie on a device.

#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "device/lost.h"
#include "image/supports.h"
#include "kernel/use.h"
#include "traced_calls.h"

// --- What the code says

// The variables that code exports, and that another name may have meant.
typedef struct names {
    const char *wanted;
    bool has_wanted, has_static; // the latter: one of that name which is not exported
    mez_text list;               // of all others, with commas
    mez_spelling spelling;
} names;

static void add_name(names *names, const char *name)
{
    names->has_wanted |= strcmp(name, names->wanted) == 0;
    mez_text_add(&names->list, "%s%s", names->list.length > 0 ? ", " : "", name);
    mez_spelling_offer(&names->spelling, name);
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

static void add_module(names *names, const struct mez_spirv_module *spirv)
{
    for (uint32_t i = 0; i < spirv->export_count; i++)
        if (!spirv->exports[i].is_function)
            add_name(names, spirv->exports[i].name);
    names->has_static |= has_static(spirv, names->wanted);
}

// Of the part, and of those that the kernel is linked with.
static mez_error collect(const mez_kernel *kernel, mez_part *part, names *names)
{
    uint32_t number;
    mez_link link;
    MEZ_TRY(mez_build_find_kernel(part, kernel->name, &number));
    const mez_error error = mez_link_of_kernels(part, &number, 1, &link);
    add_module(names, part->code.spirv);
    for (uint32_t i = 0; i < link.count && !mez_failed(error); i++)
        add_module(names, link.inputs[i].code->spirv);
    mez_link_finish(&link);
    return error;
}

// --- Errors

static mez_error refuse_static(const mez_kernel *kernel, const char *name)
{
    return mez_error_add(
        mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "variable \"%s\" of \"%s\" is not exported, so that drivers do not know its name", name,
            kernel->image->name),
        "advice", "remove \"static\" from its declaration");
}

static mez_error refuse_unknown(const mez_kernel *kernel, const names *names)
{
    if (names->has_static)
        return refuse_static(kernel, names->wanted);
    mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "\"%s\" has no variable \"%s\"",
        kernel->image->name, names->wanted);
    if (names->spelling.nearest)
        error = mez_error_add(error, "perhaps meant", "%s", names->spelling.nearest);
    return mez_error_add(error, "its variables", "%s",
        names->list.length > 0 ? mez_text_get(&names->list)
                               : "none that is exported (in OpenCL C they are declared \"global\" "
                                 "or \"constant\" outside functions, and not \"static\")");
}

static mez_error explain_hidden(const mez_kernel_use *use, const char *name)
{
    const mez_kernel *kernel = use->kernel;
    const mez_module *module = use->module;
    const mez_error error = mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "device \"%s\" has no address for variable \"%s\" of \"%s\"", module->device->info.name,
        name, kernel->image->name);
    if (mez_part_is_native(use->code->part))
        return mez_error_add(error, "because",
            "the code is native, and its driver knows no variable of that name; it shows none "
            "where the code was compiled without \"-ze-take-global-address\"");
    if (module->of_group)
        return mez_error_add(error, "because",
            "each kernel is built by itself there, and \"%s\" does not use the variable",
            kernel->name);
    return mez_error_add(error, "because",
        "its driver hides the variable, or its compiler has removed it, though "
        "\"-ze-take-global-address\" asks for it");
}

// --- The call

static mez_error check_name(const mez_kernel_use *use, const char *name)
{
    mez_part *part = use->code->part;
    if (mez_part_is_native(part))
        return mez_ok();
    names names = {.wanted = name, .spelling = mez_spelling_of(name, strlen(name))};
    mez_error error = collect(use->kernel, part, &names);
    if (!mez_failed(error) && !names.has_wanted)
        error = refuse_unknown(use->kernel, &names);
    mez_text_finish(&names.list);
    return error;
}

static mez_error ask(const mez_kernel_use *use, const char *name, void **pointer, size_t *size)
{
    bool found = false;
    MEZ_TRY(check_name(use, name));
    MEZ_TRY(mez_module_find_variable(use->module, name, &found, pointer, size));
    return found ? mez_ok() : explain_hidden(use, name);
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
