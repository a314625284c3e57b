// SPDX-License-Identifier: MIT
//
// A kernel of a lazy program is compiled from the program's bitcode, of which LLVM reads only what the
// kernel needs.

#include "lazy.h"
#include "compile.h"
#include "guard.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

struct part {
    const struct zc_native *native;
    const char *kernel; // NULL: all
};

static void drop_other_kernels(LLVMModuleRef module, const struct part *part)
{
    for (uint32_t i = 0; part->kernel != NULL && i < part->native->kernel_count; i++) {
        const char *name = part->native->kernels[i].name;
        LLVMValueRef function =
            strcmp(name, part->kernel) != 0 ? LLVMGetNamedFunction(module, name) : NULL;
        if (function != NULL && LLVMGetFirstUse(function) == NULL)
            LLVMDeleteFunction(function);
    }
}

// A kernel that others call is a function then.
static void keep_one_kernel(LLVMModuleRef module, const struct part *part)
{
    LLVMValueRef kernel = part->kernel != NULL ? LLVMGetNamedFunction(module, part->kernel) : NULL;
    if (kernel == NULL)
        return;
    const unsigned convention = LLVMGetFunctionCallConv(kernel);
    zc_module_forget_kernels(module);
    LLVMSetFunctionCallConv(kernel, convention);
    LLVMSetLinkage(kernel, LLVMExternalLinkage);
}

// Linking takes from a module that is read lazily only what is needed.
static bool load_part(struct zc_build *build, const void *data)
{
    const struct part *part = data;
    const struct zc_span bitcode = part->native->linkable;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(bitcode.data, bitcode.size, "program", false);
    LLVMModuleRef module = NULL;
    if (LLVMGetBitcodeModuleInContext2(build->context, buffer, &module)) {
        zc_log_add(&build->log, "error: the program cannot be read");
        return false;
    }
    drop_other_kernels(module, part);
    build->optimise = part->native->optimise;
    build->module = LLVMModuleCreateWithNameInContext("kernel", build->context);
    LLVMSetTarget(build->module, LLVMGetTarget(module));
    LLVMSetDataLayout(build->module, LLVMGetDataLayoutStr(module));
    build->layout = LLVMGetModuleDataLayout(build->module);
    if (LLVMLinkModules2(build->module, module))
        return false;
    keep_one_kernel(build->module, part);
    return zc_run_passes(build, build->module, "globaldce");
}

// What the kernels were found to run with is all that there is.
static struct zc_features features_of(const struct part *part)
{
    struct zc_features features = {.device_name = ""};
    for (uint32_t i = 0; i < part->native->kernel_count; i++) {
        if (part->kernel == NULL || strcmp(part->kernel, part->native->kernels[i].name) == 0)
            features.sub_group_sizes |= part->native->kernels[i].sub_group_size;
    }
    return features;
}

static bool compile(struct zc_log *log, const struct zc_program *program, const char *kernel,
    struct zc_bytes *bytes)
{
    const struct part part = {.native = &program->unit->native, .kernel = kernel};
    const struct zc_features features = features_of(&part);
    const struct zc_compilation compilation = {.load = load_part,
        .data = &part,
        .features = &features,
        .device = part.native->device,
        .exposes_variables = part.native->exposes_variables,
        .checks = part.native->checks,
        .mode = &part.native->mode};
    return zc_compile(log, &compilation, &bytes->data, &bytes->size) == ZC_BUILD_OK;
}

// A kernel on its way into the program.
struct addition {
    struct zc_log *log;
    struct zc_program *program;
    struct zc_bytes bytes;
    struct zc_code *code;
};

static bool load(void *data)
{
    struct addition *addition = data;
    return zc_code_load(addition->log, addition->code, addition->bytes.data, addition->bytes.size,
               &addition->program->unit, 1) &&
           addition->code->kernel_count == 1;
}

static bool add_kernel(struct zc_log *log, struct zc_program *program, uint32_t index)
{
    struct zc_kernel_code *kernel = &program->code.kernels[index];
    struct addition addition = {.log = log, .program = program, .code = &program->pieces[index]};
    bool ok = false;
    if (!compile(log, program, kernel->public.name, &addition.bytes) ||
        !zc_guarded(load, &addition, log, &ok) || !ok)
        return false;
    *kernel = addition.code->kernels[0];
    return true;
}

const struct zc_kernel *zc_lazy_kernel(struct zc_program *program, uint32_t index)
{
    struct zc_log log = {0};
    pthread_mutex_lock(&program->lock);
    const bool ok = program->code.kernels[index].entry != NULL || add_kernel(&log, program, index);
    pthread_mutex_unlock(&program->lock);
    free(zc_log_take(&log));
    return ok ? &program->code.kernels[index].public : NULL;
}

// The code of all kernels, and everything else as the program's description has it.
static void *write_whole(struct zc_log *log, const struct zc_program *program, size_t *size)
{
    struct zc_bytes bytes = {0};
    struct zc_native code;
    void *result = NULL;
    if (!compile(log, program, NULL, &bytes))
        return NULL;
    if (zc_native_read(bytes.data, bytes.size, &code) == NULL) {
        struct zc_native whole = program->unit->native;
        whole.is_lazy = false;
        whole.kernels = code.kernels;
        whole.kernel_count = code.kernel_count;
        whole.code = code.code;
        if (whole.exports.count == 0)
            whole.linkable = (struct zc_span){0};
        result = zc_native_write(&whole, size);
        zc_native_finish(&code);
    }
    free(bytes.data);
    return result;
}

const void *zc_lazy_native(struct zc_program *program, size_t *size)
{
    struct zc_log log = {0};
    pthread_mutex_lock(&program->lock);
    if (program->whole.data == NULL)
        program->whole.data = write_whole(&log, program, &program->whole.size);
    *size = program->whole.data != NULL ? program->whole.size : 0;
    pthread_mutex_unlock(&program->lock);
    free(zc_log_take(&log));
    return program->whole.data;
}
