// SPDX-License-Identifier: MIT
//
// Device code, and what its kernels require: read, looked at, and judged against targets without
// any device, driver or compiler.
//
//     mez_code *code = NULL;
//     mez_findings *findings = NULL;
//     mez_error err = mez_code_load("scale.spv", &code);
//     if (!mez_failed(err))
//         err = mez_code_judge(code, &(mez_judge_params){.target = tgl}, &findings);
//     for (uint32_t i = 0; i < mez_findings_get_count(findings); i++)
//         puts(mez_findings_get_finding(findings, i)->text);
//     mez_findings_destroy(&findings);
//     mez_code_destroy(&code);
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe; code and findings never change after they have been made.

#ifndef MEZZANINE_CODE_H
#define MEZZANINE_CODE_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/target.h>

MEZ_BEGIN

// What bytes are, by how they begin.
typedef enum mez_content {
    MEZ_CONTENT_UNKNOWN = 0,
    MEZ_CONTENT_NATIVE = 1, // made for one architecture
    MEZ_CONTENT_SPIRV = 2,
    MEZ_CONTENT_LLVM = 3, // LLVM's bitcode, which no driver takes
    MEZ_CONTENT_ZSTD = 4, // packed; what it is shows when it has been read
    MEZ_CONTENT_SYCLBIN = 5,
    MEZ_CONTENT_OFFLOAD_BINARY = 6, // of LLVM's; a SYCLBIN may be one, too
    MEZ_CONTENT_TABLE = 7,          // a file table with titles; one without begins as any text
} mez_content;

// Nothing is read further: what is recognised may be damaged. MEZ_CONTENT_UNKNOWN for NULL.
MEZ_API mez_content mez_content_recognise(const void *bytes, size_t size);

// Binaries and their kernels, whatever container they came in.
typedef struct mez_code mez_code;

// Reads a file: SPIR-V, native code, a file table (.table) with the files that it names, SYCLBIN,
// an OffloadBinary of LLVM's, or one of these packed by zstd; recognised by content. Where one of
// several binaries can't be read, or what its properties require, mez_code_binary.error has the
// reason, and the call succeeds.
// *code is yours, to be given to mez_code_destroy; NULL after an error.
//
// MEZ_ERRC_FILE: it, or a file of the table, can't be read. MEZ_ERRC_INVALID_IMAGE: none of these,
// or a damaged one, or its only binary can't be read, or properties are not written as such; the
// story says where.
// MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_load(const char *path, mez_code **code);

// The same of `size` bytes, which are copied. `name` is what messages call them, NULL: "code". A
// file table names files and has to be loaded.
//
// MEZ_ERRC_INVALID_IMAGE: as mez_code_load. MEZ_ERRC_INVALID_PARAMETER: `bytes` or `code` is NULL.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_read(
    const void *bytes, size_t size, const char *name, mez_code **code);

// Sets *code to NULL; NULL inside is fine. What was asked of it is gone.
MEZ_API void mez_code_destroy(mez_code **code);

typedef enum mez_binary_format {
    MEZ_BINARY_UNKNOWN = 0, // it can't be read
    MEZ_BINARY_NATIVE = 1,  // made for one architecture
    MEZ_BINARY_SPIRV = 2,
    MEZ_BINARY_LLVM = 3, // LLVM's bitcode, which no driver takes
} mez_binary_format;

// One module of code. Read-only; lives as long as the code. Later versions may add members at its
// end.
typedef struct mez_code_binary {
    mez_binary_format format;
    const char *source; // for messages: "app.syclbin: IR module 3"
    const char *target; // as the container has it: "spir64", a triple, ...; "": it does not say
    const char *device; // that native code was made for: "intel_gpu_pvc", "12.60.7"; "": not said
    const char *compile_options; // for whoever compiles it further; "": none
    const void *bytes;           // unpacked; NULL: it can't be read
    size_t size;
    uint32_t group; // binaries with the same number are forms of the same kernels
    // Why it can't be read, or what it requires; then nothing is found for it. The story lives as
    // long as the code. Else success.
    mez_error error;
} mez_code_binary;

// NULL where `index` is past the last.
MEZ_API uint32_t mez_code_get_binary_count(const mez_code *code);
MEZ_API const mez_code_binary *mez_code_get_binary(const mez_code *code, uint32_t index);

// A kernel of a binary. Read-only; lives as long as the code. Later versions may add members at its
// end.
typedef struct mez_code_kernel {
    const char *name;
    uint32_t binary; // its number
    // Of SPIR-V alone; of native code nobody reads them, and the numbers are 0.
    bool arguments_known;
    uint32_t argument_count;
    uint32_t group_size[3];  // that it requires; zeros: any
    uint32_t sub_group_size; // the same; 0: any
    bool may_assert;         // its code can reach an assert
} mez_code_kernel;

// All kernels, in the order of the binaries. NULL where `index` is past the last.
MEZ_API uint32_t mez_code_get_kernel_count(const mez_code *code);
MEZ_API const mez_code_kernel *mez_code_get_kernel(const mez_code *code, uint32_t index);

// An argument as its author declared it, as far as the code says: "float k", "global int4 *x",
// written as mez_error_get_story writes: at most `size` bytes with the final NUL, and an empty text
// for an argument that does not exist or of which nothing is known. Returns the length of the whole
// text, which is less than 256.
MEZ_API size_t mez_code_get_argument(
    const mez_code *code, uint32_t kernel, uint32_t argument, char *buffer, size_t size);

// --- Judging

typedef enum mez_answer {
    MEZ_HAS = 0,
    MEZ_MAY_HAVE = 1, // nobody knows before it is tried: a warning
    MEZ_LACKS = 2,
} mez_answer;

typedef struct mez_judge_params {
    const mez_target *target;
    const char *kernel; // one kernel's name; NULL: all
    // Intel's compiler, where its generations refuse different code: a version such as "1.0.12504"
    // or "2.40", of which the first number counts. NULL: what only some refuse is a warning.
    const char *compiler;
    bool all;             // also what the target has
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_judge_params;

// One thing that a kernel requires, and whether the target has it. Read-only; lives as long as the
// findings. Later versions may add members at its end.
typedef struct mez_finding {
    const char *kernel; // NULL: all kernels of the binary, for which its properties speak
    uint32_t binary;    // its number in the code
    mez_answer answer;
    // What is required: "aspect" and "fp64". Kinds are "architecture", "fixed target", "aspect",
    // "sub-group size", "work-group size", "local memory", "arguments", "joint matrix", ...: those
    // of `mez check --json`.
    const char *kind;
    const char *value;
    const char *place; // which code asks for it: "for OpFMul in function "scale" (scale.cl:7:3)"
    const char *text;  // a sentence for people; "" where the target has it
    const char *has;   // what the target has in its place: "sub-groups of 16, 32"; "" likewise
} mez_finding;

typedef struct mez_findings mez_findings;

// Judges what the kernels require, in the published order, and lists everything that the target
// lacks or may lack at once. Nothing is compiled. *findings is yours, to be given to
// mez_findings_destroy, and may outlive code and target; NULL after an error.
//
// MEZ_ERRC_KERNEL: there is no kernel of that name. MEZ_ERRC_INVALID_PARAMETER: `code`, `params`,
// its target or `findings` is NULL, the compiler's version is invalid, or `reserved` is not
// zero. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_judge(
    const mez_code *code, const mez_judge_params *params, mez_findings **findings);

// The worst answer: MEZ_HAS where the target can run all that was asked for.
MEZ_API mez_answer mez_findings_get_answer(const mez_findings *findings);

// 0 for NULL. NULL where `index` is past the last.
MEZ_API uint32_t mez_findings_get_count(const mez_findings *findings);
MEZ_API const mez_finding *mez_findings_get_finding(const mez_findings *findings, uint32_t index);

// Sets *findings to NULL; NULL inside is fine.
MEZ_API void mez_findings_destroy(mez_findings **findings);

MEZ_END

#endif
