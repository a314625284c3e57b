// SPDX-License-Identifier: MIT
//
// What a kernel, or a whole image, requires of a device: a list in the order in which it is judged. It comes from the property
// set of an image, which binds all kernels of it, or from a survey of the code, which speaks for one kernel; where images are
// linked it comes from several of them.
//
//     mez_requirements requirements = {.image = "needs.spv", .kernel = "scale"};
//     MEZ_TRY(mez_requirements_add_kernel(&requirements, survey, needs));
//     ... mez_check_refuse(&requirements, &device, NULL) ...
//     mez_requirements_finish(&requirements);
//
// Features that are promises of behaviour rather than something that is there or not, such as forward progress of sub-groups, have no
// aspect and never come here.
//
// Thread-safety: one thread builds a list; afterwards it may be read from many.

#ifndef MEZ_CHECK_REQUIREMENTS_H
#define MEZ_CHECK_REQUIREMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <mezzanine/code.h>

#include "aspect/aspect.h"
#include "base/error.h"
#include "base/text.h"
#include "container/device_requirements.h"
#include "spirv/survey.h"

// --- Intel's compilers
//
// They do not refuse the same code. tests/oracle asks one of each generation: 1.0.12504, with driver 22.43, and 2.40.14, with driver
// 26.27. What they differ in about doubles stands in spirv/aspects.c.

typedef enum mez_igc {
    // or another one: what the first generation refuses is refused, and what only others do is a warning
    MEZ_IGC_UNKNOWN = 0,
    MEZ_IGC_1,
    MEZ_IGC_2,
} mez_igc;

// A set of them.
#define MEZ_IGC_BIT(compiler) (1u << (compiler))

// "IGC 1", "IGC 2", "a compiler that is not known".
const char *mez_igc_name(mez_igc compiler);

// By its version, of which the first number counts: "1", "1.0.12504", "2.40". False: there is none of that number.
bool mez_igc_find(const char *version, mez_igc *compiler);

// The one that a driver brings: by its number of Level Zero, and by its release, such as "26.27.039122", as ocloc says it.
mez_igc mez_igc_of_driver(uint32_t driver_version);
mez_igc mez_igc_of_release(const char *release);

// --- Requirements

// mez_requirement_kind of mezzanine/code.h is in the published order of the checks, and what can only warn comes last. A sub-group size
// is never added for ESIMD code, whose size is a formality.

// What every device has is required of none: the least that OpenCL allows.
#define MEZ_LEAST_LOCAL_MEMORY ((uint64_t)32 * 1024)
#define MEZ_LEAST_ARGUMENTS ((uint64_t)1024)

typedef struct mez_requirement {
    mez_requirement_kind kind;
    union {
        const char *architecture; // as a container names it: "intel_gpu_pvc", "12.60.7"; borrowed
        // Any of these (see MEZ_FIXED_TARGET_IP in target.h). None: targets that have nothing in common.
        struct {
            const uint32_t *values; // borrowed
            uint32_t count;
        } fixed_target;
        struct {
            mez_aspect name;    // MEZ_ASPECT_NONE: one that we have no name for
            uint32_t number;    // of one without a name
            bool only_used;     // by code, and nobody has declared it
            bool perhaps;       // a compiler may need it that code does not
            uint32_t compilers; // those that need it, of MEZ_IGC_BIT; 0: all of them
        } aspect;
        uint32_t sub_group_size;
        struct {
            uint64_t sizes[3];   // x (the fastest), y, z; 1 beyond `dimensions`
            uint32_t dimensions; // 1 to 3; 0: not said
        } group;
        uint64_t bytes; // at least: of local memory, of arguments
        // "matrix_type::fp16,use::a,8,16", or the seven parts of a multiplication; borrowed.
        mez_slice matrix;
        uint32_t spirv_version; // major << 16 | minor
        uint32_t capability;    // its number
        const char *extension;  // its name; borrowed
        // One of the survey's module; borrowed. Of the function that a failed assert calls: NULL where the code defines it.
        const struct mez_spirv_symbol *import;
    };
    // Whose code requires it, for the place; NULL: a property set does. Borrowed.
    const struct mez_spirv_survey *survey;
    uint32_t function; // index in the survey's module
} mez_requirement;

typedef struct mez_requirements {
    const char *image;              // shown in messages; borrowed
    const char *kernel;             // the same; NULL: all kernels of the image
    mez_aspect_numbering numbering; // of aspects that a property set gives by number
    mez_requirement *items;         // a vector of ours, with the two below
    size_t count, capacity;
} mez_requirements;

// Adds one requirement behind those of its kind; one that says the same as another is dropped (of the last 256). The only failure is
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_requirements_add(mez_requirements *requirements, const mez_requirement *requirement);

// Adds what a kernel requires. `survey` must outlive the list. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_requirements_add_kernel(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs);

// Adds what a property set states. `stated`, and the properties that it was read from, must outlive the list.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_requirements_add_stated(
    mez_requirements *requirements, const mez_device_requirements *stated);

// Adds the aspects of a function (index in the survey's module) that a kernel of another module is linked to.
mez_error mez_requirements_add_function(
    mez_requirements *requirements, const struct mez_spirv_survey *survey, uint32_t function);

// Adds that the function (index in the survey's module) can call what a failed assert calls, where the code has a signature for that
// which is not the published one; else nothing. The two above do so, too.
mez_error mez_requirements_add_assert(
    mez_requirements *requirements, const struct mez_spirv_survey *survey, uint32_t function);

// Takes out all requirements of a kind: sub-group sizes, for one, where an image is said to be ESIMD code.
void mez_requirements_drop(mez_requirements *requirements, mez_requirement_kind kind);

// Does SPIR-V state such requirements for whole modules, and for no kernel alone?
static inline bool mez_requirement_is_of_module(mez_requirement_kind kind)
{
    return kind >= MEZ_REQUIRES_SPIRV_VERSION;
}

// Frees the list and zeroes it; a zeroed one is fine.
void mez_requirements_finish(mez_requirements *requirements);

// Does code that uses it need a device that reports it? Compilers refuse such code for others, or it fails when it runs. Of other
// aspects that code uses, such as atomics on 16 bits, devices don't report enough to refuse anything.
bool mez_aspect_is_reported(mez_aspect aspect);

#endif
