// SPDX-License-Identifier: MIT
//
// The stages of a compilation, one after the other; engine.c says what they do.

#include "compile.h"
#include "guard.h"
#include "identity.h"
#include "llvm_versions.h"
#include "target.h"

#include <stdlib.h>

static bool lower_kernel(struct zc_build *build, struct zc_kernel_build *kernel)
{
    if (kernel->info->runs_coroutines)
        zc_coroutine_lower_waits(build, kernel);
    if (!zc_local_memory_lower(build, kernel))
        return false;
    if (!kernel->info->runs_coroutines)
        zc_wrapper_mark_parallel(build, kernel);
    return true;
}

static bool lower(struct zc_build *build)
{
    const uint32_t count = build->kernel_count;
    zc_division_guard(build);
    zc_dimensions_answer(build);
    zc_printf_lower(build);
    zc_assert_note_kernels(build);
    if (!zc_builtins_resolve(build))
        return false;
    zc_trap_insert(build);
    zc_coroutine_define_wait(build);
    for (uint32_t i = 0; i < count; i++) {
        if (!zc_arguments_describe(build, &build->kernels[i]))
            return false;
    }
    if (!zc_inline_work_item_functions(build) || !zc_checks_insert(build))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!lower_kernel(build, &build->kernels[i]))
            return false;
    }
    zc_coroutine_forget_never(build);
    return zc_unwritten_check_insert(build) && zc_verify(build, "lowering");
}

// O1 vectorises nothing.
static const char *passes_of(const struct zc_build *build)
{
    if (!build->optimise)
        return "default<O0>";
    return build->mode == ZC_MODE_SCALAR ? "default<O1>" : "default<O2>";
}

static bool generate(struct zc_build *build)
{
    if (build->imports.count > 0) // it can be described, but there is nothing to run
        return true;
    if (!zc_run_passes(build, build->module, passes_of(build)))
        return false;
    for (uint32_t i = 0; i < build->kernel_count; i++) {
        if (build->kernels[i].info->runs_coroutines)
            zc_coroutine_note_frame_size(build, &build->kernels[i]);
    }
    return zc_emit_object(build, build->module, &build->code);
}

static struct zc_span span_of(LLVMMemoryBufferRef buffer)
{
    if (buffer == NULL)
        return (struct zc_span){0};
    return (struct zc_span){LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)};
}

static void *pack(
    const struct zc_build *build, const struct zc_compilation *compilation, size_t *size)
{
    const struct zc_native native = {.engine = zc_identity_engine(),
        .processor = zc_identity_processor(),
        .device = compilation->device,
        .exposes_variables = compilation->exposes_variables,
        .has_debug_info = build->has_debug_info,
        .optimise = build->optimise,
        .is_lazy = build->is_lazy,
        .mode = build->mode,
        .checks = build->checks,
        .kernels = build->infos,
        .kernel_count = build->kernel_count,
        .variables = build->variables,
        .variable_count = build->variable_count,
        .imports = build->imports,
        .exports = build->exports,
        .code = span_of(build->code),
        .data = span_of(build->data),
        .linkable = span_of(build->linkable)};
    return zc_native_write(&native, size);
}

// What can be said of a program before it is compiled, and that all its builtins are there.
static bool describe(struct zc_build *build)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < build->kernel_count; i++)
        ok = zc_arguments_describe(build, &build->kernels[i]);
    if (ok)
        zc_printf_lower(build);
    return ok && zc_builtins_resolve(build);
}

struct job {
    struct zc_build *build;
    const struct zc_compilation *compilation;
};

static bool run_stages(void *data)
{
    const struct job *job = data;
    struct zc_build *build = job->build;
    if (!job->compilation->load(build, job->compilation->data) || !zc_module_find_kernels(build))
        return false;
    return build->is_lazy ? describe(build) : lower(build) && generate(build);
}

// LLVM passes here what it would print otherwise.
static void take_diagnostic(LLVMDiagnosticInfoRef info, void *log)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    zc_log_add(log, "error: %s", text);
    LLVMDisposeMessage(text);
}

static void start_build(struct zc_build *build)
{
    build->context = zc_create_context();
    LLVMContextSetDiagnosticHandler(build->context, take_diagnostic, &build->log);
    build->builder = LLVMCreateBuilderInContext(build->context);
    build->types = (struct zc_types){.void_type = LLVMVoidTypeInContext(build->context),
        .i1 = LLVMInt1TypeInContext(build->context),
        .i8 = LLVMInt8TypeInContext(build->context),
        .i32 = LLVMInt32TypeInContext(build->context),
        .i64 = LLVMInt64TypeInContext(build->context),
        .pointer = LLVMPointerTypeInContext(build->context, 0)};
}

static void dispose_buffer(LLVMMemoryBufferRef buffer)
{
    if (buffer != NULL)
        LLVMDisposeMemoryBuffer(buffer);
}

static void free_names(struct zc_names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free((void *)names->list[i]);
    free(names->list);
}

static void free_description(struct zc_build *build)
{
    for (uint32_t i = 0; i < build->kernel_count; i++) {
        free((void *)build->infos[i].name);
        free((void *)build->infos[i].arguments);
        free(build->kernels[i].local_arguments);
    }
    for (uint32_t i = 0; i < build->variable_count; i++)
        free((void *)build->variables[i].name);
    free(build->kernels);
    free(build->infos);
    free(build->variables);
    free_names(&build->imports);
    free_names(&build->exports);
}

static void finish_build(struct zc_build *build)
{
    LLVMContextSetDiagnosticHandler(build->context, NULL, NULL);
    LLVMDisposeBuilder(build->builder);
    dispose_buffer(build->code);
    dispose_buffer(build->data);
    dispose_buffer(build->linkable);
    if (build->module != NULL)
        LLVMDisposeModule(build->module);
    LLVMDisposeTargetMachine(build->machine);
    LLVMContextDispose(build->context);
    free_description(build);
}

static enum zc_build_result run(
    struct zc_build *build, const struct zc_compilation *compilation, void **bytes, size_t *size)
{
    struct job job = {build, compilation};
    bool ok = false;
    if (compilation->mode != NULL) {
        build->mode = *compilation->mode;
    } else if (!zc_mode_read(&build->mode)) {
        zc_log_add(&build->log,
            "error: " ZC_MODE_VARIABLE "=%s is not one of: fission coroutine scalar",
            getenv(ZC_MODE_VARIABLE));
        return ZC_BUILD_FAILED;
    }
    build->machine = zc_target() != NULL ? zc_target_machine(zc_target(), true) : NULL;
    if (build->machine == NULL || zc_identity_processor() == NULL) {
        zc_log_add(&build->log, "error: LLVM cannot compile for this processor");
        return ZC_BUILD_FAILED;
    }
    start_build(build);
    if (!zc_guarded(run_stages, &job, &build->log, &ok))
        return ZC_BUILD_FAILED; // what LLVM has is beyond repair, see guard.h
    *bytes = ok ? pack(build, compilation, size) : NULL;
    finish_build(build);
    if (ok && *bytes == NULL)
        return ZC_BUILD_OUT_OF_MEMORY;
    return ok ? ZC_BUILD_OK : build->failure;
}

enum zc_build_result zc_compile(
    struct zc_log *log, const struct zc_compilation *compilation, void **bytes, size_t *size)
{
    struct zc_build build = {.features = compilation->features,
        .log = *log,
        .failure = ZC_BUILD_FAILED,
        .may_be_lazy = compilation->may_be_lazy,
        .checks = compilation->checks};
    *bytes = NULL;
    const enum zc_build_result result = run(&build, compilation, bytes, size);
    *log = build.log;
    return result;
}
