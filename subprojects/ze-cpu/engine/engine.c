// SPDX-License-Identifier: MIT
//
// The engine's table, and the order of a build's stages.
//
// How SPIR-V becomes native code, stage by stage:
//
// 1. translate.c: SPIR-V is checked, its specialization constants get their values
//    (specialise.c), debug information is made such that debuggers understand it
//    (debug_words.c), and it is given to llvm-spirv, which makes LLVM bitcode of it. What
//    SPIR-V has beyond plain instructions (sin, barriers, work-item ids, atomics) arrives as calls
//    of functions named "__spirv_...": the builtins.
// 2. module.c: all modules are parsed, checked against the device's features (features.c) and
//    linked into one. Where asserts are native, the functions they call get a body
//    (assert_lowering.c). Kernels, exports and imports are noted down. Program-scope variables
//    become an object of their own (variables.c). What is left is kept as bitcode where other
//    programs may be linked with it.
// 3. printf_lowering.c, resolve.c, generate.c, async_copy.c: every builtin gets a body, from
//    builtins/ (OpenCL C, compiled when the driver was built) or emitted in place. Ids are read from
//    a context that zc_get_context() answers. Failed asserts get a trap (trap.c).
// 4. arguments.c: the argument blob is laid out.
// 5. inlining.c: each kernel gets a wrapper that run_groups can call: loops over work-items, cut where
//    these meet (fission.c), or plain ones (wrapper.c), or a coroutine (coroutine.c). The body and all that
//    depends on the work-item is inlined there, so that zc_get_context() becomes the wrapper's own variable,
//    which LLVM then dissolves into loop counters.
//    Where kernels are checked, their accesses are guarded then (memory_check.c); checked.h says how.
// 6. coroutine.c: barriers that are left become suspend points. local_memory.c: local variables become
//    offsets into the group's block. wrapper.c: accesses are marked as independent between work-items.
// 7. optimise.c: LLVM's default pipeline for the host's processor, then native code.
// 8. native.c: all that becomes a native binary.
//
// compile.c calls the stages. A program is always made of a native binary, whether that was built
// just now or comes from the application: unit.c reads it and makes the variables, program.c loads
// the code with jit.c, run.c runs it. recent.c keeps those that were built lately. linking.c enters at
// stage 3 with the bitcode of several programs.

#include "compile.h"
#include "guard.h"
#include "identity.h"
#include "lazy.h"
#include "linking.h"
#include "program.h"
#include "races.h"
#include "recent.h"
#include "run.h"
#include "unwritten.h"

#include <stdlib.h>
#include <string.h>

// A native binary on its way to a program.
struct creation {
    struct zc_log *log;
    void *bytes;
    size_t size;
    const char *device;
    struct zc_program *program;
    enum zc_build_result result;
};

static bool create(void *data)
{
    struct creation *creation = data;
    struct zc_unit *unit = NULL;
    creation->result =
        zc_unit_create(creation->log, creation->bytes, creation->size, creation->device, &unit);
    if (creation->result == ZC_BUILD_OK)
        creation->result = zc_program_create(creation->log, unit, &creation->program);
    return creation->result == ZC_BUILD_OK;
}

// Takes `bytes`.
static enum zc_build_result create_program(
    struct zc_log *log, void *bytes, size_t size, const char *device, struct zc_program **program)
{
    struct creation creation = {log, bytes, size, device, NULL, ZC_BUILD_FAILED};
    bool ok = false;
    if (!zc_guarded(create, &creation, log, &ok))
        return ZC_BUILD_FAILED;
    *program = creation.program;
    return creation.result;
}

static bool load_modules(struct zc_build *build, const void *data)
{
    return zc_module_load(build, data);
}

static enum zc_build_result build_modules(struct zc_log *log,
    const struct zc_build_request *request, const char *device, struct zc_program **program)
{
    const struct zc_compilation compilation = {.load = load_modules,
        .data = request,
        .features = request->features,
        .device = device,
        .exposes_variables = request->exposes_variables,
        .checks = request->checks,
        .may_be_lazy = true};
    void *bytes;
    size_t size = 0;
    const enum zc_build_result result = zc_compile(log, &compilation, &bytes, &size);
    return result == ZC_BUILD_OK ? create_program(log, bytes, size, device, program) : result;
}

// A build that has something to say is made again each time.
static enum zc_build_result build_and_keep(struct zc_log *log,
    const struct zc_build_request *request, const char *device, struct zc_writer *key,
    struct zc_program **program)
{
    const enum zc_build_result result = build_modules(log, request, device, program);
    if (result == ZC_BUILD_OK && log->length == 0)
        zc_recent_add(key, *program);
    return result;
}

static enum zc_build_result build_or_find(struct zc_log *log,
    const struct zc_build_request *request, const char *device, struct zc_program **program)
{
    struct zc_writer key = zc_recent_key(request, device);
    const struct zc_recent found = zc_recent_find(&key);
    enum zc_build_result result = ZC_BUILD_OK;
    if (found.program != NULL)
        *program = found.program;
    else if (found.own_binary.size > 0)
        result =
            create_program(log, found.own_binary.bytes, found.own_binary.size, device, program);
    else
        result = build_and_keep(log, request, device, &key, program);
    free(key.bytes);
    return result;
}

static enum zc_build_result build_program(
    const struct zc_build_request *request, struct zc_program **program, char **log)
{
    struct zc_log lines = {0};
    char *device = zc_identity_device(request->features, request->native_asserts, request->checks);
    *program = NULL;
    const enum zc_build_result result =
        device != NULL ? build_or_find(&lines, request, device, program) : ZC_BUILD_OUT_OF_MEMORY;
    free(device);
    *log = zc_log_take(&lines);
    return result;
}

static enum zc_build_result load_program(
    const struct zc_load_request *request, struct zc_program **program, char **log)
{
    struct zc_log lines = {0};
    enum zc_build_result result = ZC_BUILD_OUT_OF_MEMORY;
    char *device = zc_identity_device(request->features, request->native_asserts, request->checks);
    void *bytes = malloc(request->size + 1);
    *program = NULL;
    if (device != NULL && bytes != NULL) {
        memcpy(bytes, request->bytes, request->size);
        result = create_program(&lines, bytes, request->size, device, program);
    } else {
        free(bytes);
    }
    free(device);
    *log = zc_log_take(&lines);
    return result;
}

// Code that was linked, on its way into the program.
struct exchange {
    struct zc_log *log;
    struct zc_program *program;
    const struct zc_link_scope *scope;
    void *bytes;
    size_t size;
};

static bool exchange(void *data)
{
    const struct exchange *e = data;
    struct zc_unit **units = calloc(e->scope->count, sizeof(*units));
    if (units == NULL) {
        free(e->bytes);
        return false;
    }
    for (uint32_t i = 0; i < e->scope->count; i++)
        units[i] = e->scope->parts[i].unit;
    const bool ok =
        zc_program_relink(e->log, e->program, e->bytes, e->size, units, e->scope->count);
    free(units);
    return ok;
}

static enum zc_build_result link_parts(
    struct zc_log *log, const struct zc_link_request *request, const struct zc_link_scope *scope)
{
    const struct zc_compilation compilation = {.load = zc_link_load,
        .data = scope,
        .features = request->features,
        .device = request->program->unit->native.device,
        .checks = request->program->unit->native.checks};
    struct exchange e = {.log = log, .program = request->program, .scope = scope};
    bool ok = false;
    const enum zc_build_result result = zc_compile(log, &compilation, &e.bytes, &e.size);
    if (result != ZC_BUILD_OK)
        return result;
    return zc_guarded(exchange, &e, log, &ok) && ok ? ZC_BUILD_OK : ZC_BUILD_FAILED;
}

static enum zc_build_result link_program(const struct zc_link_request *request, char **log)
{
    struct zc_log lines = {0};
    struct zc_link_scope scope;
    enum zc_build_result result = zc_link_resolve(&lines, request, &scope);
    if (result == ZC_BUILD_OK)
        result = link_parts(&lines, request, &scope);
    zc_link_scope_finish(&scope);
    *log = zc_log_take(&lines);
    return result;
}

static uint32_t kernel_count(const struct zc_program *program)
{
    return program->code.kernel_count;
}

static const struct zc_kernel *kernel_at(const struct zc_program *program, uint32_t index)
{
    if (index >= program->code.kernel_count)
        return NULL;
    return program->unit->native.is_lazy ? zc_lazy_kernel((struct zc_program *)program, index)
                                         : &program->code.kernels[index].public;
}

// Kernels that are compiled later keep their names.
static const char *kernel_name(const struct zc_program *program, uint32_t index)
{
    return index < program->code.kernel_count ? program->unit->native.kernels[index].name : NULL;
}

static const char *const *imports(const struct zc_program *program, uint32_t *count)
{
    *count = program->unit->native.imports.count;
    return program->unit->native.imports.list;
}

static const char *const *exports(const struct zc_program *program, uint32_t *count)
{
    *count = program->unit->native.exports.count;
    return program->unit->native.exports.list;
}

static void *global(const struct zc_program *program, const char *name, size_t *size)
{
    const struct zc_native *native = &program->unit->native;
    for (uint32_t i = 0; i < native->variable_count; i++) {
        const struct zc_variable *variable = &native->variables[i];
        if (!variable->is_exported || strcmp(variable->name, name) != 0)
            continue;
        if (size != NULL)
            *size = variable->size;
        return program->unit->addresses[i];
    }
    return NULL;
}

static bool exposes_variables(const struct zc_program *program)
{
    return program->unit->native.exposes_variables;
}

static const void *native(const struct zc_program *program, size_t *size)
{
    if (program->unit->native.is_lazy)
        return zc_lazy_native((struct zc_program *)program, size);
    *size = program->unit->size;
    return program->unit->bytes;
}

__attribute__((visibility("default"))) const struct zc_engine *zc_engine_get(void);

const struct zc_engine *zc_engine_get(void)
{
    static const struct zc_engine engine = {.version = ZC_ENGINE_VERSION,
        .build = build_program,
        .load = load_program,
        .link = link_program,
        .destroy = zc_program_destroy,
        .kernel_count = kernel_count,
        .kernel_name = kernel_name,
        .kernel = kernel_at,
        .imports = imports,
        .exports = exports,
        .global = global,
        .exposes_variables = exposes_variables,
        .native = native,
        .worker_create = zc_worker_create,
        .worker_destroy = zc_worker_destroy,
        .worker_left = zc_unwritten_end,
        .races_create = zc_launch_races_create,
        .races_destroy = zc_launch_races_destroy,
        .run_groups = zc_run_groups,
        .locate = zc_worker_locate};
    return &engine;
}
