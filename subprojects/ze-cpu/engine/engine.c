// SPDX-License-Identifier: MIT
//
// The engine's table, and the order of a build's stages.
//
// How SPIR-V becomes native code, stage by stage:
//
// 1. translate.c: SPIR-V is checked and given to llvm-spirv, which makes LLVM bitcode of it. What
//    SPIR-V has beyond plain instructions (sin, barriers, work-item ids, atomics) arrives as calls
//    of functions named "__spirv_...": the builtins.
// 2. module.c: all modules are parsed, checked against the device's features (features.c) and
//    linked into one. Where asserts are native, the functions they call get a body
//    (assert_lowering.c). Kernels, exports, imports and program-scope variables are noted down.
//    Debug information is made such that debuggers understand it (debug_info.c).
// 3. printf_lowering.c, resolve.c, generate.c, async_copy.c: every builtin gets a body, from
//    builtins/ (OpenCL C, compiled when the driver was built) or emitted in place. Ids are read from
//    a context that zc_get_context() answers. Failed asserts get a trap (trap.c).
// 4. arguments.c: the argument blob is laid out.
// 5. inlining.c: each kernel gets a wrapper that run_group can call, either work-item loops
//    (wrapper.c) or, if the kernel waits at barriers, a coroutine (coroutine.c). The kernel's body
//    and all that depends on the work-item is inlined there, so that zc_get_context() becomes the
//    wrapper's own variable, which LLVM then dissolves into loop counters.
// 6. coroutine.c: barriers become suspend points. local_memory.c: local variables become offsets
//    into the group's block. wrapper.c: accesses are marked as independent between work-items.
// 7. optimise.c: LLVM's default pipeline for the host's processor.
// 8. jit.c: native code.
//
// run.c runs it.

#include "build.h"
#include "guard.h"
#include "run.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

static bool lower_kernel(struct zc_build *build, struct zc_kernel_build *kernel)
{
    if (kernel->code->public.has_barrier)
        zc_coroutine_lower_waits(build, kernel);
    if (!zc_local_memory_lower(build, kernel))
        return false;
    if (!kernel->code->public.has_barrier)
        zc_wrapper_mark_parallel(build, kernel);
    return true;
}

static bool lower(struct zc_build *build)
{
    const uint32_t count = build->program->kernel_count;
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
    if (!zc_inline_work_item_functions(build))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!lower_kernel(build, &build->kernels[i]))
            return false;
    }
    return zc_verify(build, "lowering");
}

static bool compile(struct zc_build *build)
{
    if (build->program->import_count > 0) // it can be described, but there is nothing to run
        return true;
    if (!zc_run_passes(build, build->optimise ? "default<O2>" : "default<O0>"))
        return false;
    for (uint32_t i = 0; i < build->program->kernel_count; i++) {
        if (build->kernels[i].code->public.has_barrier)
            zc_coroutine_note_frame_size(build, &build->kernels[i]);
    }
    return zc_jit_compile(build);
}

struct job {
    struct zc_build *build;
    const struct zc_build_request *request;
};

static bool run_stages(void *data)
{
    const struct job *job = data;
    struct zc_build *build = job->build;
    return zc_module_load(build, job->request) && zc_module_find_kernels(build) && lower(build) &&
           compile(build);
}

// LLVM tells here what it would print otherwise.
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
    build->shared_context = LLVMOrcCreateNewThreadSafeContext();
    build->context = LLVMOrcThreadSafeContextGetContext(build->shared_context);
    LLVMContextSetOpaquePointers(build->context, true);
    LLVMContextSetDiagnosticHandler(build->context, take_diagnostic, &build->log);
    build->builder = LLVMCreateBuilderInContext(build->context);
    build->types = (struct zc_types){.void_type = LLVMVoidTypeInContext(build->context),
        .i1 = LLVMInt1TypeInContext(build->context),
        .i8 = LLVMInt8TypeInContext(build->context),
        .i32 = LLVMInt32TypeInContext(build->context),
        .i64 = LLVMInt64TypeInContext(build->context),
        .pointer = LLVMPointerTypeInContext(build->context, 0)};
}

// The context must be the last to go; the JIT holds a share of it while it needs it.
static void finish_build(struct zc_build *build)
{
    LLVMContextSetDiagnosticHandler(build->context, NULL, NULL);
    LLVMDisposeBuilder(build->builder);
    if (build->module != NULL)
        LLVMDisposeModule(build->module);
    LLVMDisposeTargetMachine(build->machine);
    LLVMOrcDisposeThreadSafeContext(build->shared_context);
}

static void ignore_late_error(void *context, LLVMErrorRef error)
{
    (void)context;
    LLVMConsumeError(error);
}

static void destroy(struct zc_program *program)
{
    if (program == NULL)
        return;
    if (program->jit != NULL) {
        LLVMErrorRef error = LLVMOrcDisposeLLJIT(program->jit);
        if (error != NULL)
            LLVMConsumeError(error);
    }
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        free((void *)program->kernels[i].public.name);
        free((void *)program->kernels[i].public.arguments);
    }
    for (uint32_t i = 0; i < program->global_count; i++)
        free(program->globals[i].name);
    for (uint32_t i = 0; i < program->import_count; i++)
        free(program->imports[i]);
    free(program->kernels);
    free(program->globals);
    free(program->imports);
    free(program);
}

// The log of this build ends with it; the JIT lives on and must not write there.
static void detach_log(struct zc_program *program)
{
    if (program->jit != NULL)
        LLVMOrcExecutionSessionSetErrorReporter(
            LLVMOrcLLJITGetExecutionSession(program->jit), ignore_late_error, NULL);
}

static enum zc_build_result run_build(
    struct zc_build *build, const struct zc_build_request *request)
{
    struct job job = {build, request};
    bool ok = false;
    start_build(build);
    if (!zc_guarded(run_stages, &job, &build->log, &ok)) {
        build->program->jit = NULL; // beyond repair, see guard.h
        return ZC_BUILD_FAILED;
    }
    finish_build(build);
    detach_log(build->program);
    return ok ? ZC_BUILD_OK : build->failure;
}

static enum zc_build_result build_program(
    const struct zc_build_request *request, struct zc_program **program, char **log)
{
    struct zc_build build = {.features = request->features, .failure = ZC_BUILD_FAILED};
    enum zc_build_result result = ZC_BUILD_OUT_OF_MEMORY;
    build.program = calloc(1, sizeof(*build.program));
    if (build.program == NULL) {
        result = ZC_BUILD_OUT_OF_MEMORY;
    } else if (zc_target() == NULL ||
               (build.machine = zc_target_machine(zc_target(), true)) == NULL) {
        zc_log_add(&build.log, "error: LLVM cannot compile for this processor");
        result = ZC_BUILD_FAILED;
    } else {
        result = run_build(&build, request);
    }
    if (result != ZC_BUILD_OK) {
        destroy(build.program);
        build.program = NULL;
    }
    free(build.kernels);
    *program = build.program;
    *log = zc_log_take(&build.log);
    return result;
}

static uint32_t kernel_count(const struct zc_program *program)
{
    return program->kernel_count;
}

static const struct zc_kernel *kernel_at(const struct zc_program *program, uint32_t index)
{
    return index < program->kernel_count ? &program->kernels[index].public : NULL;
}

static const char *const *imports(const struct zc_program *program, uint32_t *count)
{
    *count = program->import_count;
    return (const char *const *)program->imports;
}

static void *global(const struct zc_program *program, const char *name, size_t *size)
{
    for (uint32_t i = 0; i < program->global_count; i++) {
        if (strcmp(program->globals[i].name, name) != 0)
            continue;
        if (size != NULL)
            *size = program->globals[i].size;
        return program->globals[i].address;
    }
    return NULL;
}

static bool has_exports(const struct zc_program *program)
{
    return program->has_exports;
}

__attribute__((visibility("default"))) const struct zc_engine *zc_engine_get(void);

const struct zc_engine *zc_engine_get(void)
{
    static const struct zc_engine engine = {.version = ZC_ENGINE_VERSION,
        .build = build_program,
        .destroy = destroy,
        .kernel_count = kernel_count,
        .kernel = kernel_at,
        .imports = imports,
        .global = global,
        .has_exports = has_exports,
        .worker_create = zc_worker_create,
        .worker_destroy = zc_worker_destroy,
        .run_group = zc_run_group};
    return &engine;
}
