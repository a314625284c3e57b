// SPDX-License-Identifier: MIT
//
// The arguments of a kernel, so that those of a submission can be checked before the driver sees
// them.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_SIGNATURE_H
#define MEZ_SPIRV_SIGNATURE_H

#include "spirv/module.h"

enum mez_spirv_argument_kind {
    MEZ_ARGUMENT_VALUE,  // int, float, vector, array: `size` bytes
    MEZ_ARGUMENT_STRUCT, // by value: `size` bytes (a pointer to the caller's copy in the SPIR-V)
    MEZ_ARGUMENT_GLOBAL_POINTER,
    MEZ_ARGUMENT_CONSTANT_POINTER,
    MEZ_ARGUMENT_LOCAL_POINTER, // the caller gives a size and no address
    MEZ_ARGUMENT_IMAGE,
    MEZ_ARGUMENT_SAMPLER,
    MEZ_ARGUMENT_OTHER, // pipe, queue, ...: nothing that Level Zero can pass
};

enum mez_spirv_number_kind {
    MEZ_NUMBER_NONE, // no number, or not known
    MEZ_NUMBER_INT,  // SPIR-V of kernels has one type for int and uint
    MEZ_NUMBER_FLOAT,
};

// A number or a vector of numbers.
struct mez_spirv_number {
    enum mez_spirv_number_kind kind;
    uint32_t width;      // bits of each
    uint32_t components; // 1: no vector
};

struct mez_spirv_argument {
    enum mez_spirv_argument_kind kind;
    // Bytes. Pointers have the module's pointer size, 4 or 8; image, sampler and other have 0. A
    // value or struct has 0 where the module does not state it, as for an array whose length is
    // computed.
    uint64_t size;
    uint64_t alignment;    // bytes; 0 where size is 0
    uint64_t pointee_size; // pointers: bytes of what they point to, 0: not known
    const char *name;      // NULL: the module has none
    uint32_t type;         // id of its type in the SPIR-V
    // What a value is, or a pointer points to. Compilers with opaque pointers guess that, or write bytes.
    struct mez_spirv_number number;
};

struct mez_spirv_signature {
    struct mez_spirv_argument *arguments;
    uint32_t count;
};

// The arguments of an entry point of `module`, in order. The only failure is NO_MEMORY. Names live
// as long as the module; the rest is the caller's, to be given back to mez_spirv_signature_finish.
enum mez_spirv_status mez_spirv_signature_init(const struct mez_spirv_module *module,
    const struct mez_spirv_entry_point *entry, struct mez_spirv_problem *problem,
    struct mez_spirv_signature *signature);

// The argument as its author declared it, as far as the module says: "float k", "global int4 *", "sampler s". "": the module says nothing.
// Cut where it has no room.
void mez_spirv_argument_declaration(
    const struct mez_spirv_argument *argument, char *text, size_t room);

// "float4", "int"; "": no number.
#define MEZ_SPIRV_NUMBER_NAME 24
void mez_spirv_number_name(const struct mez_spirv_number *number, char *name);

void mez_spirv_signature_finish(struct mez_spirv_signature *signature);

// --- Pointers
//
// Where pointers come from. Drivers see the memory that kernel arguments name; memory that a kernel finds in other ways is only
// reachable if drivers are asked to keep it reachable. Which kernels do so is in their survey.

// Is the definition a pointer that comes from anywhere else than the parameters and variables of the module: loaded from memory, taken
// out of a struct, made of a number? Code that was not optimised loads pointers from its own variables, which counts.
bool mez_spirv_finds_pointer(
    const struct mez_spirv_module *module, const struct mez_spirv_def *def);

#endif
