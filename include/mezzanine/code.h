// SPDX-License-Identifier: MIT
//
// Reads device code, lists its kernels, and judges what they require against targets. None of this
// needs a device, a driver or a compiler.
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

// What a file or a piece of memory contains, recognised by its first bytes.
typedef enum mez_content {
    MEZ_CONTENT_UNKNOWN = 0,
    MEZ_CONTENT_NATIVE = 1, // made for one architecture
    MEZ_CONTENT_SPIRV = 2,
    MEZ_CONTENT_LLVM = 3, // LLVM's bitcode, which no driver takes
    MEZ_CONTENT_ZSTD = 4, // compressed; reading it shows what is inside
    MEZ_CONTENT_SYCLBIN = 5,
    MEZ_CONTENT_OFFLOAD_BINARY = 6, // LLVM's; a SYCLBIN may be one as well
    MEZ_CONTENT_TABLE = 7,          // a file table with titles; without titles it is not recognised
} mez_content;

// Only the beginning is read, so the contents may be damaged. MEZ_CONTENT_UNKNOWN for NULL.
MEZ_API mez_content mez_content_recognise(const void *bytes, size_t size);

// Binaries and their kernels, from any container.
typedef struct mez_code mez_code;

// Reads a file, whose format is recognised by its contents: SPIR-V, native code, a file table
// (.table) with the files that it names, a SYCLBIN, an OffloadBinary of LLVM's, or one of these
// compressed by zstd. If one of several binaries, or what its properties require, can't be read,
// the call succeeds, and mez_code_binary.error has the reason. *code is yours, to be given to
// mez_code_destroy; NULL after an error.
//
// MEZ_ERRC_FILE: the file, or a file that a table names, can't be read.
// MEZ_ERRC_INVALID_IMAGE: the format is not known, the file is damaged, its only binary can't be
//     read, or its properties are not valid; the story says where.
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_load(const char *path, mez_code **code);

// The same for `size` bytes in memory, which are copied. Messages call them `name`; NULL: "code". A
// file table has to be loaded from its file, because it names other files.
//
// MEZ_ERRC_INVALID_IMAGE: as mez_code_load. MEZ_ERRC_INVALID_PARAMETER: `bytes` or `code` is NULL.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_read(
    const void *bytes, size_t size, const char *name, mez_code **code);

typedef struct mez_code_params {
    const char *path;  // of the file; NULL: `bytes` is the code
    const void *bytes; // copied; NULL if there is a path
    size_t size;       // of `bytes`
    const char *name;  // of `bytes` in messages; NULL: "code"
    // What counts as use of double and half: also the types of variables, parameters and addresses.
    // False: only what Intel's compiler refuses.
    bool by_types;
    // The call succeeds also if the only binary can't be read, as it does for one of several;
    // mez_code_binary.error has the reason.
    bool unreadable_allowed;
    // Bytes that all compressed code of the file may take when it is unpacked, as a small file can
    // unpack to anything; 0: what MEZ_UNPACK_LIMIT says, else 256 MiB.
    uint64_t unpack_limit;
    uint64_t reserved[7]; // must be zero: mezzanine/base.h
} mez_code_params;

// The same as mez_code_load or mez_code_read, with choices. *code is yours, to be given to
// mez_code_destroy; NULL after an error.
//
// MEZ_ERRC_FILE, MEZ_ERRC_INVALID_IMAGE: as mez_code_load.
// MEZ_ERRC_INVALID_PARAMETER: NULL, neither a path nor bytes or both, or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_create(const mez_code_params *params, mez_code **code);

// Frees the code, with everything that its functions have returned, and sets *code to NULL. *code
// may be NULL.
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
    const char *source;          // for messages: "app.syclbin: IR module 3"
    const char *target;          // from the container: "spir64", a triple, ...; "": not known
    const char *device;          // of native code: "intel_gpu_pvc", "12.60.7"; "": not known
    const char *compile_options; // for compiling it further; "": none
    const void *bytes;           // unpacked; NULL: it can't be read
    size_t size;
    uint32_t group; // binaries with the same number contain the same kernels
    // Why the binary, or what it requires, can't be read; it then has no findings. The story lives
    // as long as the code. Success if it can be read.
    mez_error error;
} mez_code_binary;

// A binary is NULL if `index` is not below the count.
MEZ_API uint32_t mez_code_get_binary_count(const mez_code *code);
MEZ_API const mez_code_binary *mez_code_get_binary(const mez_code *code, uint32_t index);

// A kernel of a binary. Read-only; lives as long as the code. Later versions may add members at its
// end.
typedef struct mez_code_kernel {
    const char *name;
    uint32_t binary; // its number
    // True for SPIR-V. For native code the arguments and sizes are not known, and the numbers are
    // 0.
    bool arguments_known;
    uint32_t argument_count;
    uint32_t group_size[3];  // required size; all zero: any
    uint32_t sub_group_size; // required size; 0: any
    bool may_assert;         // its code can reach an assert
} mez_code_kernel;

// All kernels, in the order of the binaries. NULL if `index` is not below the count.
MEZ_API uint32_t mez_code_get_kernel_count(const mez_code *code);
MEZ_API const mez_code_kernel *mez_code_get_kernel(const mez_code *code, uint32_t index);

// Writes an argument as its author declared it, as far as the code shows: "float k", "global int4
// *x". The text has at most `size` bytes with the final NUL; it is empty if the argument does not
// exist or is not known. Returns the length of the whole text, which is less than 256.
MEZ_API size_t mez_code_get_argument(
    const mez_code *code, uint32_t kernel, uint32_t argument, char *buffer, size_t size);

// --- Requirements

// What a requirement is about. They are judged in this order.
typedef enum mez_requirement_kind {
    MEZ_REQUIRES_ARCHITECTURE = 0, // native code runs on that alone
    MEZ_REQUIRES_FIXED_TARGET = 1, // the properties name the only targets that may run the code
    MEZ_REQUIRES_ASPECT = 2,
    MEZ_REQUIRES_SUB_GROUP_SIZE = 3,
    MEZ_REQUIRES_GROUP_SIZE = 4,
    MEZ_REQUIRES_LOCAL_MEMORY = 5,    // by variables of the code
    MEZ_REQUIRES_ARGUMENTS = 6,       // room for all arguments together
    MEZ_REQUIRES_MATRIX = 7,          // one kind of joint matrix
    MEZ_REQUIRES_MATRIX_MAD = 8,      // one multiplication of joint matrices
    MEZ_REQUIRES_ASSERT_FUNCTION = 9, // that what a failed assert calls has the usual signature
    MEZ_REQUIRES_DEFINITION = 10,     // of what the code imports and nothing in it defines
    MEZ_REQUIRES_SPIRV_VERSION = 11,
    MEZ_REQUIRES_CAPABILITY = 12, // of SPIR-V, where no aspect stands for it
    MEZ_REQUIRES_EXTENSION = 13,  // likewise
} mez_requirement_kind;

// What is judged by itself: a kernel, or all kernels of a binary together, where the binary is
// native code or its properties state what it requires. Read-only; lives as long as the code. Later
// versions may add members at its end.
typedef struct mez_code_unit {
    uint32_t binary;    // its number
    const char *kernel; // NULL: all kernels of the binary
    // The kernel, or all kernels that the binary is known to have.
    const char *const *kernels;
    uint32_t kernel_count;
    uint32_t first_requirement; // the others of the unit follow
    uint32_t requirement_count; // 0: every target can run it
} mez_code_unit;

// In the order of the binaries. A binary that can't be read has none. NULL if `index` is not below
// the count.
MEZ_API uint32_t mez_code_get_unit_count(const mez_code *code);
MEZ_API const mez_code_unit *mez_code_get_unit(const mez_code *code, uint32_t index);

// Something that a unit requires, whatever the target. Its number is the same for all targets, so
// that findings of several targets can be put beside each other. Read-only; lives as long as the
// code. Later versions may add members at its end.
typedef struct mez_code_requirement {
    uint32_t unit; // its number
    mez_requirement_kind kind;
    const char *kind_name; // "aspect"; static
    bool of_module;        // SPIR-V states it for the whole module, and no kernel alone
    bool of_compiler;      // whether it is one depends on which of Intel's compilers is used
} mez_code_requirement;

// Those of all units, in the order of the units. NULL if `index` is not below the count.
MEZ_API uint32_t mez_code_get_requirement_count(const mez_code *code);
MEZ_API const mez_code_requirement *mez_code_get_requirement(const mez_code *code, uint32_t index);

// Writes what is required, without the kind: "fp64", "16", "256 x 1 x 1". The text has at most
// `size` bytes with the final NUL; it is empty if there is no such requirement, or no memory.
// Returns the length of the whole text.
MEZ_API size_t mez_code_get_requirement_value(
    const mez_code *code, uint32_t requirement, char *buffer, size_t size);

typedef struct mez_code_warn_params {
    // Targets that the code is promised to run on; NULL: none.
    const mez_target *const *fixed_targets;
    uint32_t fixed_target_count;
    mez_warning_function warn; // gets each warning, in the form of compilers
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_code_warn_params;

// Warns of what the author of the SPIR-V may have overlooked: aspects that a function uses without
// declaring them (docs/aspects.md), and what functions and kernels use that a fixed target does not
// have. The texts look like those of compilers, perhaps with several lines: "scale.cl:7:3: warning:
// function 'scale' uses ...".
//
// MEZ_ERRC_INVALID_PARAMETER: `code`, `params`, its function or one of the targets is NULL, or
//     `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY: some warnings may have been given before.
MEZ_API MEZ_CHECKED mez_error mez_code_warn(
    const mez_code *code, const mez_code_warn_params *params);

// --- Judging

typedef enum mez_answer {
    MEZ_HAS = 0,
    MEZ_MAY_HAVE = 1, // not known before it is tried: a warning
    MEZ_LACKS = 2,
} mez_answer;

typedef struct mez_judge_params {
    const mez_target *target;
    const char *kernel; // the name of one kernel; NULL: all
    // The version of Intel's compiler, such as "1.0.12504" or "2.40", whose first number is its
    // generation. Generations refuse different code. NULL: the one of the device's driver, if the
    // target is of a device (mez_device_get_target); for another target code that only some of them
    // refuse is a warning.
    const char *compiler;
    bool all;             // also list what the target has
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_judge_params;

// One thing that a kernel requires, and whether the target has it. A requirement may have several
// findings, such as one for each dimension of a work-group's size that is too large. Read-only;
// lives as long as the findings. Later versions may add members at its end.
typedef struct mez_finding {
    const char *kernel; // NULL: all kernels of the binary, by its properties
    uint32_t binary;    // index of the binary in the code
    mez_answer answer;
    // What is required, such as the kind "aspect" with the value "fp64". Kinds are "architecture",
    // "fixed target", "aspect", "sub-group size", "work-group size", "local memory", "arguments",
    // "joint matrix", ...: those of `mez check --json`.
    const char *kind;
    const char *value;
    const char *place;    // what requires it: "for OpFMul in function "scale" (scale.cl:7:3)"
    const char *text;     // a sentence for messages; "" if the target has it
    const char *has;      // what the target has instead: "sub-groups of 16, 32"; may be ""
    uint32_t requirement; // its number in the code: mez_code_get_requirement
    mez_requirement_kind requirement_kind;
    bool of_module; // SPIR-V states it for the whole module, and no kernel alone
    // The place in its parts.
    bool declared;           // the function is declared so; false: the instruction requires it
    const char *function;    // by its name; NULL: the place has no parts
    const char *instruction; // such as "OpFMul"; NULL: as above
    const char *file;        // NULL: the code has no debug information about it
    uint32_t line;
    uint32_t column;          // 0: not known
    const char *const *calls; // functions, from the kernel to `function`, both included
    uint32_t call_count;
} mez_finding;

typedef struct mez_findings mez_findings;

// Judges what the kernels require (docs/requirements.md), and lists everything that the target
// lacks or may lack. Nothing is compiled. *findings is yours, to be given to mez_findings_destroy,
// and may outlive code and target; NULL after an error.
//
// MEZ_ERRC_KERNEL: there is no kernel of that name. MEZ_ERRC_INVALID_PARAMETER: `code`, `params`,
// its target or `findings` is NULL, the compiler's version is invalid, or `reserved` is not
// zero. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_code_judge(
    const mez_code *code, const mez_judge_params *params, mez_findings **findings);

// The worst answer of all findings; MEZ_HAS if the target can run everything that was judged.
MEZ_API mez_answer mez_findings_get_answer(const mez_findings *findings);

// The worst answer about one unit of the code. MEZ_MAY_HAVE if that has not been judged.
MEZ_API mez_answer mez_findings_get_unit_answer(const mez_findings *findings, uint32_t unit);

// Which of Intel's compilers the code was judged for: "IGC 1", "IGC 2", or "an unknown compiler".
// It matters if a requirement is `of_compiler`. Static.
MEZ_API const char *mez_findings_get_compiler(const mez_findings *findings);

// The count is 0 for NULL. The finding is NULL if `index` is not below the count.
MEZ_API uint32_t mez_findings_get_count(const mez_findings *findings);
MEZ_API const mez_finding *mez_findings_get_finding(const mez_findings *findings, uint32_t index);

// Frees the findings and sets *findings to NULL. *findings may be NULL.
MEZ_API void mez_findings_destroy(mez_findings **findings);

MEZ_END

#endif
