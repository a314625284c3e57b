// SPDX-License-Identifier: MIT
//
// Linking programs that are built. Barriers and work-item ids need a kernel and all that it calls in
// one piece (inlining.c), so the program is compiled once more, together with copies of the functions
// that it imports. Variables are not copied: the code finds those of each unit where they are.
//
// Names are made such that nothing is found by chance: what unit 1, 2, ... defines gets a prefix of
// its own, and every import the name of what was chosen for it.

#include "linking.h"
#include "grow.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const struct zc_names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (strcmp(names->list[i], name) == 0)
            return true;
    }
    return false;
}

static bool defines(const struct zc_unit *unit, const char *name)
{
    return has_name(&unit->native.exports, name);
}

// A program that is linked already keeps to what it was linked with.
static struct zc_unit *find_among_own(const struct zc_program *user, const char *name)
{
    if (defines(user->unit, name))
        return user->unit;
    for (uint32_t i = 0; i < user->library_count; i++) {
        if (defines(user->libraries[i], name))
            return user->libraries[i];
    }
    return NULL;
}

static uint32_t add_part(
    struct zc_link_scope *scope, struct zc_unit *unit, const struct zc_program *user)
{
    for (uint32_t i = 0; i < scope->count; i++) {
        if (scope->parts[i].unit == unit)
            return i;
    }
    struct zc_link_part *parts = zc_grow(scope->parts, scope->count, sizeof(*parts));
    if (parts == NULL)
        return UINT32_MAX;
    scope->parts = parts;
    const uint32_t import_count = unit->native.imports.count;
    struct zc_link_part part = {.unit = unit,
        .user = user,
        .providers = calloc((size_t)import_count + 1, sizeof(*part.providers))};
    if (part.providers == NULL)
        return UINT32_MAX;
    parts[scope->count] = part;
    return scope->count++;
}

// The part that defines the name, which is added where it is new.
static enum zc_build_result provide(struct zc_log *log, const struct zc_link_request *request,
    struct zc_link_scope *scope, uint32_t part, uint32_t import)
{
    const struct zc_program *user = scope->parts[part].user;
    const char *name = scope->parts[part].unit->native.imports.list[import];
    struct zc_unit *unit = find_among_own(user, name);
    for (size_t i = 0; unit == NULL && i < request->library_count; i++) {
        user = request->libraries[i];
        if (defines(user->unit, name))
            unit = user->unit;
    }
    if (unit == NULL) {
        zc_log_add(log, "Unresolved Symbol <%s>", name);
        return ZC_BUILD_LINK_FAILED;
    }
    const uint32_t provider = add_part(scope, unit, user);
    if (provider == UINT32_MAX)
        return ZC_BUILD_OUT_OF_MEMORY;
    scope->parts[part].providers[import] = provider;
    return ZC_BUILD_OK;
}

enum zc_build_result zc_link_resolve(
    struct zc_log *log, const struct zc_link_request *request, struct zc_link_scope *scope)
{
    enum zc_build_result result = ZC_BUILD_OK;
    *scope = (struct zc_link_scope){0};
    if (add_part(scope, request->program->unit, request->program) == UINT32_MAX)
        result = ZC_BUILD_OUT_OF_MEMORY;
    for (uint32_t part = 0; part < scope->count; part++) { // parts are added on the way
        const uint32_t import_count = scope->parts[part].unit->native.imports.count;
        for (uint32_t i = 0; i < import_count; i++) {
            const enum zc_build_result found = provide(log, request, scope, part, i);
            result = found != ZC_BUILD_OK ? found : result;
        }
    }
    return result;
}

void zc_link_scope_finish(struct zc_link_scope *scope)
{
    for (uint32_t i = 0; i < scope->count; i++)
        free(scope->parts[i].providers);
    free(scope->parts);
    *scope = (struct zc_link_scope){0};
}

static LLVMValueRef find_symbol(LLVMModuleRef module, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    return function != NULL ? function : LLVMGetNamedGlobal(module, name);
}

static void rename_symbol(LLVMModuleRef module, const char *name, const char *prefix)
{
    LLVMValueRef symbol = find_symbol(module, name);
    if (symbol != NULL)
        zc_rename(symbol, prefix, name);
}

// Gives a part's symbols the names by which the parts know each other.
static void rename_part(const struct zc_link_scope *scope, uint32_t index, LLVMModuleRef module)
{
    const struct zc_link_part *part = &scope->parts[index];
    const struct zc_native *native = &part->unit->native;
    const struct zc_prefix own = zc_unit_prefix(index);
    for (uint32_t i = 0; i < native->exports.count; i++)
        rename_symbol(module, native->exports.list[i], own.text);
    for (uint32_t i = 0; i < native->variable_count; i++)
        rename_symbol(module, native->variables[i].name, own.text);
    for (uint32_t i = 0; i < native->imports.count; i++)
        rename_symbol(module, native->imports.list[i], zc_unit_prefix(part->providers[i]).text);
}

static bool load_part(struct zc_build *build, const struct zc_link_scope *scope, uint32_t index)
{
    const struct zc_native *native = &scope->parts[index].unit->native;
    LLVMModuleRef module =
        zc_parse_bitcode(build, LLVMCreateMemoryBufferWithMemoryRangeCopy(
                                    native->linkable.data, native->linkable.size, "program"));
    if (module == NULL)
        return false;
    if (index > 0)
        zc_module_forget_kernels(module);
    rename_part(scope, index, module);
    build->has_debug_info |= native->has_debug_info;
    return zc_link_modules(build, module);
}

// What was taken from libraries is there for the program alone.
static void hide(LLVMValueRef symbol)
{
    if (!LLVMIsDeclaration(symbol) && !zc_is_known_constant(symbol) &&
        zc_has_prefix(zc_name_of(symbol), ZC_LINK_PREFIX))
        LLVMSetLinkage(symbol, LLVMInternalLinkage);
}

static bool drop_unused(struct zc_build *build)
{
    LLVMModuleRef module = build->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        hide(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        hide(g);
    return zc_run_passes(build, module, "globaldce");
}

bool zc_link_load(struct zc_build *build, const void *data)
{
    const struct zc_link_scope *scope = data;
    build->optimise = scope->parts[0].unit->native.optimise;
    for (uint32_t i = 0; i < scope->count; i++) {
        if (!load_part(build, scope, i))
            return false;
    }
    build->layout = LLVMGetModuleDataLayout(build->module);
    return drop_unused(build);
}
