// SPDX-License-Identifier: MIT
//
// What a kernel asks of a device, read from all code it can reach (see reach.h). Capabilities say
// nothing here: they hold for a whole module, and one kernel that uses double would condemn all
// others.
//
// Thread-safety: safe; a mez_spirv_needs never changes after its creation.

#ifndef MEZ_SPIRV_NEEDS_H
#define MEZ_SPIRV_NEEDS_H

#include "spirv/module.h"
#include "spirv/problem.h"
#include "spirv/source_line.h"

enum mez_spirv_need_kind {
    // A value of or with a double, or half, is computed, loaded or stored. That is what Intel's
    // compiler refuses on devices without them; pointers to double, and arguments that nobody uses,
    // are fine, and so are vload_half and vstore_half.
    MEZ_NEED_FP64,
    MEZ_NEED_FP16,
    MEZ_NEED_INT64_ATOMICS,   // an atomic on an integer, float or pointer of 64 bits
    MEZ_NEED_IMAGES,          // an image is an argument or used
    MEZ_NEED_WORK_GROUP_SIZE, // values: x, y, z
    MEZ_NEED_SUB_GROUP_SIZE,  // values[0]
    MEZ_NEED_COUNT,
};

// The instruction a need comes from: of several the first on a shortest way from the kernel.
struct mez_spirv_place {
    const struct mez_spirv_function *function;
    uint32_t word;
    uint16_t opcode; // for mez_spirv_opcode_name
    struct mez_spirv_source_line line;
    const char **chain; // names of the functions from the kernel to `function`, both included
    uint32_t chain_length;
};

struct mez_spirv_need {
    bool needed; // the rest is zero where not
    uint32_t values[3];
    struct mez_spirv_place where;
};

struct mez_spirv_needs {
    const struct mez_spirv_entry_point *kernel;
    uint32_t minor_version; // of SPIR-V 1.x, the whole module's
    struct mez_spirv_need needs[MEZ_NEED_COUNT];

    // __devicelib_assert_fail, or an import __assert_fail or __assertfail, can be called, or the
    // module's own variable that such a function fills is used. Where a
    // function whose address is taken can call it, this is true of every kernel: another module may
    // hold the pointer.
    bool may_assert;

    const struct mez_spirv_symbol *
        *imports; // those that this kernel reaches, in the module's order
    uint32_t import_count;
};

// The needs of the kernel of that name. `module` must outlive the result. On success *needs is the
// caller's, to be given back to mez_spirv_needs_destroy; else it is NULL and the status is
// NOT_FOUND or NO_MEMORY.
enum mez_spirv_status mez_spirv_needs_create(const struct mez_spirv_module *module,
    const char *kernel, struct mez_spirv_problem *problem, struct mez_spirv_needs **needs);

// Frees it and sets *needs to NULL; NULL inside is fine.
void mez_spirv_needs_destroy(struct mez_spirv_needs **needs);

#endif
