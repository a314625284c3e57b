// SPDX-License-Identifier: MIT
//
// What a device must have for the functions and kernels of a module, read from all code they can
// reach (see reach.h) and from what their authors declared. Capabilities say nothing here: they hold
// for a whole module, and one kernel that uses double would condemn all others; see capabilities.h for
// those that no aspect covers.
//
// The whole module is read in one go, however many kernels share a function. The places that ask for
// an aspect are looked for when somebody wants to see one.
//
// Which code uses which aspect:
//   fp64   a double, or a vector or struct with one, is computed with, or a single double is moved,
//          alone or in a struct. Pointers to doubles ask for nothing, nor do arguments that nobody
//          uses, calls, vectors that are only moved or constant, structs that are only loaded, what
//          OpenCL C's functions make of constants, and, in OpenCL C from 2.0 on, variables that are
//          only loaded and stored whole. This is what Intel's compiler refuses (tests/oracle), and
//          one thing more: it overlooks arithmetic on vectors, and makes instructions of it that the
//          device lacks
//   fp16   a half is computed with or moved, but not by vload_half and vstore_half
//   atomic64  an atomic on an integer, float or pointer of 64 bits
//   ext_oneapi_atomic16  an atomic on 16 bits
//   ext_intel_legacy_image  an image is an argument or used. Of SYCL's two aspects for images it is
//          the one that devices still report: newer runtimes report the other, "image", for no
//          device, and SPIR-V does not distinguish the two kinds
//   ext_intel_esimd  the function is one of vector compute
//   ext_intel_matrix  a joint or cooperative matrix is an argument or used
//   ext_oneapi_private_alloca  an array of variable length
// Function pointers ask for none: drivers accept them where no device claims virtual functions.
//
// Thread-safety: safe; a survey never changes after its creation.

#ifndef MEZ_SPIRV_SURVEY_H
#define MEZ_SPIRV_SURVEY_H

#include <stdbool.h>

#include "spirv/aspects.h"
#include "spirv/debug.h"

// --- Places
//
// The place in a module that asks a device for something, with the calls that lead there.

// A function on the way to a place.
struct mez_spirv_step {
    const struct mez_spirv_function *function;
    // In the function before it, where that calls it (or takes its address); nothing for the first.
    struct mez_spirv_source_line call;
};

struct mez_spirv_place {
    const struct mez_spirv_function *function; // that asks: the last of `steps`
    uint32_t word;   // of the instruction that asks; a declaration's is its function's first
    uint16_t opcode; // for mez_spirv_opcode_name; of a decoration or execution mode where one asks
    bool declared;   // asked for by MEZ_DEVICE_HAS or MEZ_USES_ASPECTS, not by code
    struct mez_spirv_source_line line; // of the instruction; of a declared function's first line
    // From the function that was asked about to `function`, both included; a kernel's wrapper and its
    // body, which have one name, are one step.
    struct mez_spirv_step *steps;
    uint32_t step_count;
};

// Frees the steps and zeroes the place; a zeroed one is fine.
void mez_spirv_place_finish(struct mez_spirv_place *place);

// --- The survey

// What one function asks for.
struct mez_spirv_function_needs {
    mez_aspects own;      // by its own code and MEZ_USES_ASPECTS
    mez_aspects used;     // own, and what all functions it can reach require
    mez_aspects declared; // by MEZ_DEVICE_HAS
    mez_aspects required; // used and declared together
    bool has_declaration; // which may be an empty list
    bool is_wrapper;      // of a kernel, whose code stands in the function it calls
    bool is_copy;         // of the code of a kernel, which has all of it itself

    // __devicelib_assert_fail, or an import __assert_fail or __assertfail, can be called, or the
    // module's own variable that such a function fills is used.
    bool may_assert;
    bool reaches_imports; // mez_spirv_survey_list_imports gives at least one
    bool
        finds_pointers; // its code can find a pointer (signature.h), or it is imported and not that of asserts
};

// What one kernel asks for: what its function does (a wrapper and the body it calls count as one), and
// its execution modes. The version of SPIR-V is the module's.
struct mez_spirv_kernel_needs {
    const struct mez_spirv_entry_point *kernel;
    uint32_t body; // index of the function with its code: kernel->function where it has no wrapper
    mez_aspects used, declared, required;
    bool has_declaration;
    // As above. Where a function whose address is taken can assert, this is true of every kernel:
    // another module may hold the pointer.
    bool may_assert;
    bool reaches_imports;
    bool finds_pointers;
    // The work-group and sub-group size. For a kernel of vector compute (`required` has
    // ext_intel_esimd) the sub-group size is a formality.
    const struct mez_spirv_modes *modes;
};

struct mez_spirv_survey_node;

struct mez_spirv_survey {
    const struct mez_spirv_module *module; // borrowed: must outlive this
    enum mez_spirv_survey_mode mode;
    struct mez_spirv_function_needs *functions; // by their index in the module
    struct mez_spirv_kernel_needs *kernels;     // by their entry point's index in the module
    struct mez_spirv_survey_node *nodes;        // ours
    uint64_t local_memory;                      // of the module: mez_spirv_all_local_memory
};

// On success *survey is the caller's, to be given back to mez_spirv_survey_destroy; else it is NULL
// and the status NO_MEMORY. Takes time and memory in proportion to the module.
enum mez_spirv_status mez_spirv_survey_create(const struct mez_spirv_module *module,
    enum mez_spirv_survey_mode mode, struct mez_spirv_problem *problem,
    struct mez_spirv_survey **survey);

// Frees it and sets *survey to NULL; NULL inside is fine.
void mez_spirv_survey_destroy(struct mez_spirv_survey **survey);

// The needs of the first kernel of that name; NULL: there is none.
const struct mez_spirv_kernel_needs *mez_spirv_survey_find_kernel(
    const struct mez_spirv_survey *survey, const char *name);

// Where the function (index in the module) first asks for an aspect of its `required`: of several
// places the first on a shortest way. On OK the place is the caller's, to be given back to
// mez_spirv_place_finish; else it is empty and the status is NOT_FOUND (the aspect is not required)
// or NO_MEMORY. For a kernel the function is kernel->function.
enum mez_spirv_status mez_spirv_survey_find_use(const struct mez_spirv_survey *survey,
    uint32_t function, mez_aspect aspect, struct mez_spirv_place *place);

// Imports that the function (index in the module) can reach, in the module's order. On OK *imports
// has *count pointers into module->imports and is the caller's, to be given back to mez_free_memory
// (NULL for none). The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_survey_list_imports(const struct mez_spirv_survey *survey,
    uint32_t function, const struct mez_spirv_symbol ***imports, uint32_t *count);

// Where the function (index in the module) first uses an import, one of module->imports: the place's function uses it. NOT_FOUND: it
// does not reach it. Otherwise as mez_spirv_survey_find_use.
enum mez_spirv_status mez_spirv_survey_find_import(const struct mez_spirv_survey *survey,
    uint32_t function, const struct mez_spirv_symbol *import, struct mez_spirv_place *place);

// --- The graph

// A node of reach.h.
struct mez_spirv_survey_node {
    mez_aspects required; // by it and all it leads to
    bool may_assert, reaches_imports, finds_pointers;
    bool is_open;        // the walk has not left its component yet
    uint32_t order, low; // Tarjan's numbers; order 0: not visited
};

// --- Warnings
//
// The warnings that the author of a module should get about its declarations when it is checked, split or built;
// never when it runs.

// `text` has no newline at its end and is gone after the call.
typedef void mez_spirv_report_warning(void *context, const char *text);

// Warns, in the published words, of each function with a MEZ_DEVICE_HAS that uses, itself or through
// what it calls, an aspect that the list does not have:
//
//     hw.cl:27:4: warning: function 'foo' uses aspect 'fp64' not listed in 'sycl::device_has'
//     use is from this call chain:
//       foo()
//       bar() hw.cl:15:3
//       boo() hw.cl:25:5
//
// or, without lines of the source, "compile with '-g' to get source location" at the end. Warns too
// of names in declarations that are not those of aspects, with the nearest one, and of declarations for
// functions that the module does not have.
//
// The only failure is NO_MEMORY; some warnings may then have been given already.
enum mez_spirv_status mez_spirv_survey_warn(const struct mez_spirv_survey *survey,
    mez_spirv_report_warning *report, void *context, struct mez_spirv_problem *problem);

#endif
