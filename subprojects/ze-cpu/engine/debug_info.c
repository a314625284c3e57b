// SPDX-License-Identifier: MIT
//
// Debug information: kernels built with -g can be stepped through. A kernel's body ends up inlined
// in its wrapper, which therefore must be described, too; LLVM does not take the body's locations
// otherwise. (What variables' locations need is done before, in debug_words.c.)

#include "build.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>

// GDB 13 misreads version 5 in objects that are not linked, as those of a JIT, and crashes.
#define DWARF_VERSION 4

static const char producer[] = "ze-cpu";

bool zc_debug_info_is_there(LLVMModuleRef module)
{
    return LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu") > 0;
}

// A flag of a module cannot be changed, only overridden by that of another one.
bool zc_debug_info_choose_version(struct zc_build *build)
{
    static const char flag[] = "Dwarf Version";
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("debug version", build->context);
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, flag, sizeof(flag) - 1,
        LLVMValueAsMetadata(zc_const_i32(build, DWARF_VERSION)));
    return !LLVMLinkModules2(build->module, module);
}

static LLVMMetadataRef create_unit(LLVMDIBuilderRef builder, LLVMMetadataRef file, bool optimised)
{
    return LLVMDIBuilderCreateCompileUnit(builder, LLVMDWARFSourceLanguageC99, file, producer,
        sizeof(producer) - 1, optimised, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, true, false, "",
        0, "", 0);
}

// The call of the body in the wrapper gets a location: the body's own line, seen from outside.
static void describe_wrapper(struct zc_build *build, LLVMDIBuilderRef builder,
    const struct zc_kernel_build *kernel, LLVMMetadataRef subprogram)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel->wrapper, &length);
    const unsigned line = LLVMDISubprogramGetLine(subprogram);
    LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(builder, file, NULL, 0, LLVMDIFlagZero);
    LLVMMetadataRef description = LLVMDIBuilderCreateFunction(builder, file, name, length, name,
        length, file, line, type, false, true, line, LLVMDIFlagArtificial, build->optimise);
    LLVMSetSubprogram(kernel->wrapper, description);
    LLVMMetadataRef location =
        LLVMDIBuilderCreateDebugLocation(build->context, line, 0, description, NULL);
    for (LLVMUseRef use = LLVMGetFirstUse(kernel->body); use; use = LLVMGetNextUse(use)) {
        if (LLVMIsACallInst(LLVMGetUser(use)))
            LLVMInstructionSetDebugLoc(LLVMGetUser(use), location);
    }
}

void zc_debug_info_describe_wrappers(struct zc_build *build)
{
    if (!build->has_debug_info)
        return;
    LLVMDIBuilderRef builder = LLVMCreateDIBuilder(build->module);
    LLVMMetadataRef unit = NULL;
    for (uint32_t i = 0; i < build->kernel_count; i++) {
        LLVMMetadataRef subprogram = LLVMGetSubprogram(build->kernels[i].body);
        if (subprogram == NULL)
            continue;
        if (unit == NULL)
            unit = create_unit(builder, LLVMDIScopeGetFile(subprogram), build->optimise);
        describe_wrapper(build, builder, &build->kernels[i], subprogram);
    }
    LLVMDIBuilderFinalize(builder);
    LLVMDisposeDIBuilder(builder);
}
