// SPDX-License-Identifier: MIT
//
// A module: code of an image as the driver compiled it for one device.

#ifndef MEZ_IMAGE_MODULE_H
#define MEZ_IMAGE_MODULE_H

#include "devicelib/devicelib.h"
#include "image/image.h"
#include "image/inputs.h"
#include "image/kernel_names.h"

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
