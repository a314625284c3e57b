// SPDX-License-Identifier: MIT
//
// A module: code of an image as the driver compiled it for one device, and what its compiler is given for that.

#ifndef MEZ_IMAGE_MODULE_H
#define MEZ_IMAGE_MODULE_H

#include "devicelib/devicelib.h"
#include "image/asserts.h"
#include "image/compile.h"
#include "image/image.h"
#include "image/link.h"
#include "image/part.h"

// --- What the compiler is given
//
// Code of a part, what that is linked with, our device library where asserts need it, and flags.

typedef struct mez_inputs {
    // The part's; what it is linked with; where planned the library and what C's assert calls.
    mez_code *codes;
    const mez_part **parts; // of each code; NULL: of none, as the last two
    uint32_t count;
    uint32_t library;          // index in codes of what has the variables that will be read
    mez_image_asserts asserts; // of all of them
    mez_assert_plan plan;

    const struct mez_spirv_module **modules; // SPIR-V of the first codes
    struct mez_spirv_module **made;          // those of them that were made for this; else NULL
    uint32_t module_count;
    // Of what the part is linked with: one whose code asks for a work-item's ids; NULL: none.
    const mez_part *asks_for_ids;
    char **flags; // of the part, and of what it is linked with
    uint32_t flag_count;
} mez_inputs;

// Which code of a part. `groups` NULL: all of it; else the group of kernels that `first` leads. The part has been read.
typedef struct mez_selection {
    mez_part *part;
    const mez_groups *groups;
    uint32_t first;
} mez_selection;

// Part, link and platform must outlive the inputs, which are the caller's to finish, also after a failure.
// MEZ_ERRC_LINK_PROGRAM: something is imported that neither the link nor the library nor the driver defines; all of it is
//     named. MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_INVALID_IMAGE; what the driver says to the question whether it knows asserts.
mez_error mez_inputs_init(
    const mez_selection *selection, const mez_link *link, mez_device *device, mez_inputs *inputs);
void mez_inputs_finish(mez_inputs *inputs);

// --- Modules

// What lib/assert knows of a module's record; guarded by the lock of platform->asserts.
typedef struct mez_assert_slot {
    mez_assert_record reported; // the last one
    bool dirty;                 // it must be cleared on the device
    bool doubted;               // a copy was half written: by a kernel that still runs, or for good
    bool broken;                // for good
    mez_error error;            // that reports it, retained; gets what else was collected before
    uint32_t limit;             // of that
    bool prints;                // that goes to stderr, too
    struct mez_module *next;    // that is dirty or doubted
} mez_assert_slot;

// Constant once it is built, except for the slot.
typedef struct mez_module {
    mez_image *image;
    mez_device *device;
    ze_module_handle_t ze;
    ze_module_handle_t *others; // what was linked to it as modules of their own
    const mez_part **parts;     // whose code each of the others is; NULL in it: our own library's
    uint32_t other_count;

    void *assert_record;       // device address of a mez_assert_record; NULL: there is none to read
    size_t assert_record_size; // bytes
    void *assert_log;          // device address of a mez_assert_log; NULL: it does not collect many
    bool posts; // kernels that can assert have hidden arguments, which say where to post a failure
    // The driver reports failed asserts itself, if at all, and aborts the process.
    bool native_asserts;
    bool of_group; // it has some kernels of its part and what they use, not the whole
    // What it uses lies in another module's memory: kernels need indirect access to the device's, because drivers before 26.01
    // forget it (docs/internals/compilers.md#linking-modules).
    bool reaches_others;

    mez_assert_slot assert_slot;
} mez_module;

// Builds a module of what is selected and linked.
// MEZ_ERRC_COMPILE_PROGRAM, MEZ_ERRC_LINK_PROGRAM with the build log; MEZ_ERRC_KERNEL: the driver has left out a kernel that
// was wanted; errors of mez_inputs_init; what else the driver says.
mez_error mez_module_create(const mez_selection *selection, const mez_link *link,
    const mez_wanted_kernels *wanted, mez_device *device, mez_module **module);

// Asks the driver for a variable of a part that is in the module or linked to it. *found is false where it knows none of that name, or
// hides it: drivers return the same for both. Errors: what else the driver says.
mez_error mez_module_find_variable(const mez_module *module, const mez_part *owner,
    const char *name, bool *found, void **pointer, size_t *size);

// Sets *module to NULL; NULL inside is fine.
void mez_module_destroy(mez_module **module);

#endif
