// SPDX-License-Identifier: MIT
//
// Build-time tool: links the builtins' bitcode files into one module and writes it as a C array.
//
//     prepare OUT.c IN.bc... unchecked IN.bc...
//
// In those behind "unchecked" accesses to memory are right whatever a kernel does, and constant memory keeps its values while one runs.
// Both is said of each access.
//
// On the way every function becomes linkonce_odr, so that linking into a user's module takes only
// what is called, and the module gets a named node that the engine marks independent memory
// accesses with: such a node must be "distinct", which LLVM's C API cannot make but its assembler
// can.

#include "../engine/context.h"
#include "../engine/llvm_versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

static const char access_group[] = "!zc.access_group = !{!0}\n!0 = distinct !{}\n";

static void fail(const char *what, const char *message)
{
    fprintf(stderr, "prepare: %s: %s\n", what, message);
    exit(1);
}

static LLVMModuleRef read_file(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef module;
    char *message;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &message))
        fail(path, message);
    if (LLVMParseBitcodeInContext2(context, bytes, &module))
        fail(path, "not bitcode");
    LLVMDisposeMemoryBuffer(bytes);
    return module;
}

static LLVMModuleRef read_access_group(LLVMContextRef context)
{
    LLVMModuleRef module;
    char *message;
    LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        access_group, strlen(access_group), "access_group");
    if (LLVMParseIRInContext(context, text, &module, &message))
        fail("access group", message);
    return module;
}

static void set_flag(LLVMContextRef context, LLVMValueRef instruction, const char *name)
{
    LLVMValueRef nothing = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0));
    LLVMSetMetadata(
        instruction, LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)), nothing);
}

static void mark_access(LLVMContextRef context, LLVMValueRef instruction)
{
    const bool is_load = LLVMIsALoadInst(instruction) != NULL;
    if (!is_load && !LLVMIsAStoreInst(instruction))
        return;
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(instruction, is_load ? 0 : 1));
    set_flag(context, instruction, ZC_RIGHT_ACCESS);
    if (is_load) // has been written; what is written is noted as by any other store
        set_flag(context, instruction, "nosanitize");
    if (is_load && LLVMGetPointerAddressSpace(pointer) == ZC_SPACE_CONSTANT)
        set_flag(context, instruction, "invariant.load");
}

static void mark_accesses(LLVMContextRef context, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                mark_access(context, i);
        }
    }
}

static void make_lazy(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    }
}

static void write_array(const char *path, LLVMModuleRef module)
{
    LLVMMemoryBufferRef bytes = LLVMWriteBitcodeToMemoryBuffer(module);
    const unsigned char *data = (const unsigned char *)LLVMGetBufferStart(bytes);
    const size_t size = LLVMGetBufferSize(bytes);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        fail(path, "cannot be written");
    fprintf(file, "#include <stddef.h>\nextern const unsigned char zc_builtins_bitcode[];\n"
                  "extern const size_t zc_builtins_bitcode_size;\n"
                  "_Alignas(8) const unsigned char zc_builtins_bitcode[] = {\n");
    for (size_t i = 0; i < size; i++)
        fprintf(file, "%u,%s", data[i], i % 32 == 31 ? "\n" : "");
    fprintf(file, "};\nconst size_t zc_builtins_bitcode_size = sizeof(zc_builtins_bitcode);\n");
    if (fclose(file) != 0)
        fail(path, "cannot be written");
    LLVMDisposeMemoryBuffer(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        fail("usage", "prepare OUT.c IN.bc... unchecked IN.bc...");
    LLVMContextRef context = zc_create_context();
    LLVMModuleRef module = read_access_group(context);
    bool is_unchecked = false;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "unchecked") == 0) {
            is_unchecked = true;
            continue;
        }
        LLVMModuleRef part = read_file(context, argv[i]);
        if (is_unchecked)
            mark_accesses(context, part);
        if (LLVMLinkModules2(module, part))
            fail(argv[i], "cannot be linked");
    }
    make_lazy(module);
    write_array(argv[1], module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return 0;
}
