// SPDX-License-Identifier: MIT
//
// What an image and a device's driver have to do with asserts, and what follows from that for a module.

#ifndef MEZ_IMAGE_ASSERTS_H
#define MEZ_IMAGE_ASSERTS_H

#include "device/platform.h"
#include "devicelib/devicelib.h"
#include "spirv/module.h"

// --- What contexts and queues want of failed asserts

struct mez_assert_needs {
    // Somebody wants to go on behind a failed assert: modules built from then on do not use the driver's own, which abort.
    atomic_bool recoverable;
    // More than the first failure of a module is to be collected; read when a module is built.
    atomic_bool many;
    bool of_modules;             // MEZ_ASSERT_RECORD=module: nothing is posted
    pthread_mutex_t native_lock; // guards what devices know of native asserts
};

// What MEZ_ASSERT_RECORD says. MEZ_ERRC_INVALID_PARAMETER: it is invalid.
mez_error mez_assert_read_record_setting(bool *of_modules);

// Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY; MEZ_ERRC_INVALID_PARAMETER: MEZ_ASSERT_RECORD is invalid. *needs is NULL then.
mez_error mez_assert_needs_create(struct mez_assert_needs **needs);
void mez_assert_needs_destroy(struct mez_assert_needs *needs); // NULL is accepted

// A context or a queue wants this: images that are built from now on can do it.
static inline void mez_platform_note_asserts(
    mez_platform *platform, const mez_assert_params *params)
{
    const bool many = params->limit > 1;
    if (many)
        atomic_store_explicit(&platform->assert_needs->many, true, memory_order_relaxed);
    if (many || params->policy != MEZ_ASSERT_ABORT)
        atomic_store_explicit(&platform->assert_needs->recoverable, true, memory_order_relaxed);
}

// --- Asserts of the driver's own
//
// Does a device's driver bring device-side asserts itself? Newer drivers of Intel's do, and list nothing that says so: their
// compiler resolves the function that a failed assert calls (docs/internals/asserts.md#is-a-driver-native).

// Found out when it is first asked for, by a compilation where the driver lists nothing, and remembered for the device. Ask
// for images with asserts only. Errors: what the driver says, except for a build that fails.
// Thread-safety: safe; who asks meanwhile waits for the compiler.
mez_error mez_native_assert(mez_device *device, mez_native_asserts *how);

// Does a debugger want to stop at failed asserts? Then the driver's own are kept whatever the policy: it knows no others.
bool mez_native_assert_is_debugged(void);

// --- Asserts of an image
//
// Of code that is linked together.

typedef struct mez_image_asserts {
    bool imports;           // something that we define
    bool imports_c_assert;  // MEZ_C_ASSERT_FAIL
    bool imports_variables; // a variable of the library's, or the function that reads one
    bool defines;           // MEZ_ASSERT_FAIL: a toolchain has linked a device library already
    bool later_names;
    // How its own definition of MEZ_ASSERT_FAIL differs from the published signature; "": it does not, or there is none.
    char deviation[MEZ_ASSERT_DEVIATION_ROOM];
    // Variable of the record that the code itself exports, static; NULL: none.
    const char *own_record;
} mez_image_asserts;

// Adds what one more module has; zero has nothing.
void mez_image_asserts_add(mez_image_asserts *asserts, const struct mez_spirv_module *spirv);

// Adds what a native binary imports that wants the library.
void mez_image_asserts_add_wish(mez_image_asserts *asserts);

// How the image's module is made for a device. Zero: the image is compiled as it is.
typedef struct mez_assert_plan {
    const mez_devicelib *library; // to be linked; NULL: none
    bool c_assert;                // the module that defines MEZ_C_ASSERT_FAIL is to be linked
    bool renames; // what a failed assert calls is MEZ_ASSERT_FAIL_RENAMED, in the image too
    bool posts; // the image has hidden arguments, and what a failed assert calls is MEZ_ASSERT_POST
    bool native;              // the driver reports failed asserts itself
    const char *record, *log; // variables that will be read; NULL: none
} mez_assert_plan;

// `can_post`: the image can be given hidden arguments.
// MEZ_ERRC_LINK_PROGRAM: the device's compiler would put its own function in the place of one with another signature, and crash.
// Otherwise as mez_native_assert.
mez_error mez_assert_plan_make(
    const mez_image_asserts *asserts, bool can_post, mez_device *device, mez_assert_plan *plan);

// Will the import be resolved?
bool mez_assert_plan_resolves(
    const mez_assert_plan *plan, const mez_image_asserts *asserts, const char *symbol);

#endif
