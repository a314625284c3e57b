// SPDX-License-Identifier: MIT
//
// What a context's driver can do beyond Level Zero 1.4, and which drivers the machine has.
// docs/devices.md lists which driver has which feature first. Programs need not ask: where a driver
// lacks a feature, the library does without it.
//
// The library finds this out once, when the context is created, from the extensions and versions
// that the driver reports. It does not try features out, because drivers accept flags that they do
// not know, and ignore them.
//
// Thread-safety: safe; nothing here changes.

#ifndef MEZZANINE_DRIVER_H
#define MEZZANINE_DRIVER_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef struct mez_driver_extension {
    const char *name;
    uint32_t version;     // major << 16 | minor
    uint64_t reserved[2]; // zero: mezzanine/base.h
} mez_driver_extension;

typedef enum mez_function_origin {
    MEZ_FUNCTION_MISSING = 0,
    MEZ_FUNCTION_OF_LOADER = 1, // the loader has it, and the driver's version includes it
    MEZ_FUNCTION_OF_DRIVER = 2, // the driver returned it by its name
} mez_function_origin;

// A function that is newer than Level Zero 1.4.
typedef struct mez_driver_function {
    const char *name;
    uint32_t since; // first specification with it: major << 16 | minor; 0: none
    mez_function_origin origin;
    uint64_t reserved[2]; // zero: mezzanine/base.h
} mez_driver_function;

typedef struct mez_driver_info {
    uint32_t api_version;    // major << 16 | minor
    uint32_t driver_version; // as the driver numbers itself
    // The loader returns its own handles in place of the driver's, as it does when several drivers
    // are loaded. Then only functions of the loader can be used.
    bool wrapped_handles;

    // Features that Mezzanine can use, by the extensions and versions that the driver reports:
    bool in_order_lists;    // in-order immediate lists, for which the host can wait
    bool counter_events;    // events that need no reset, for tasks in such lists
    bool host_functions;    // commands that call a function of the host
    bool linked_modules;    // several SPIR-V modules in one build
    bool large_allocations; // allocations above the device's limit

    const mez_driver_extension *extensions; // all of the driver's, in its order
    size_t extension_count;
    const mez_driver_function *functions; // those that Mezzanine looks for
    size_t function_count;
    uint64_t reserved[8]; // zero: mezzanine/base.h
} mez_driver_info;

// Describes the context's driver; all zero where `context` is NULL. The lists and names live as
// long as the context.
MEZ_API void mez_context_get_driver_info(const mez_context *context, mez_driver_info *info);

// --- The drivers of the machine
//
// Before any context is created, or because none can be: which drivers could be used, and what is
// wrong with them. `mez doctor` shows this and more.
//
//     mez_drivers *drivers = NULL;
//     mez_error err =
//         mez_drivers_create(&(mez_drivers_params){.look = MEZ_DRIVERS_OPEN}, &drivers);
//     for (uint32_t i = 0; i < mez_drivers_get_count(drivers); i++)
//         mez_error_print(stderr, mez_drivers_get_driver(drivers, i)->error);
//     mez_drivers_destroy(&drivers);

// How the library opens the loader of Level Zero, Intel's driver of GPUs, and the CPU driver.
#define MEZ_LOADER_LIBRARY "libze_loader.so.1"
#define MEZ_INTEL_DRIVER_LIBRARY "libze_intel_gpu.so.1"
#define MEZ_CPU_DRIVER_LIBRARY "libze_cpu.so.1"

// Why a driver is in the list.
typedef enum mez_driver_source {
    MEZ_DRIVER_FOR_GPU = 0,           // loaders open it for GPUs
    MEZ_DRIVER_FOR_OLDER_GPU = 1,     // loaders open it for GPUs that the first no longer knows
    MEZ_DRIVER_FOR_OTHER_DEVICES = 2, // loaders open it; the library does not use its devices
    MEZ_DRIVER_FOR_CPU = 3,           // the library's own, or the one that MEZ_CPU_DRIVER names
    MEZ_DRIVER_OF_VARIABLE = 4,       // ZE_ENABLE_ALT_DRIVERS names it; the list then has no others
} mez_driver_source;

// How closely drivers are looked at.
typedef enum mez_driver_look {
    MEZ_DRIVERS_LIST = 0, // only listed: nothing is opened
    MEZ_DRIVERS_OPEN = 1, // each library is opened, and closed again
    MEZ_DRIVERS_ASK = 2,  // each driver is initialised and asked for its versions and devices
} mez_driver_look;

typedef struct mez_drivers_params {
    mez_driver_look look;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_drivers_params;

// A driver as it was found. Read-only; lives as long as the list. Later versions may add members at
// its end.
typedef struct mez_found_driver {
    const char *name; // as it is opened: "libze_intel_gpu.so.1", or a path
    mez_driver_source source;
    const char *path; // its file, with links followed; NULL: it has not been opened
    // Why the name can't be used, the library can't be opened, or the driver does not answer:
    // MEZ_ERRC_PLATFORM, or what the driver says. The story lives as long as the list.
    mez_error error;
    // What the driver answered; zero if it has not been asked. The extensions are all of the
    // driver's, in its order.
    uint32_t api_version;    // major << 16 | minor
    uint32_t driver_version; // as the driver numbers itself
    uint32_t device_count;   // without sub-devices
    uint32_t gpu_count;      // GPUs among them
    const mez_driver_extension *extensions;
    size_t extension_count;
} mez_found_driver;

typedef struct mez_drivers mez_drivers;

// Lists the drivers that a loader and the library would open in this process, as the environment
// says. `params` NULL: they are only listed. Opening a library runs code of it: a broken driver may
// end the process, which is why `mez doctor` asks each one in a process of its own. A driver with
// devices that has been asked stays open, as it does behind a context, and the loader finds it
// initialised. *drivers is yours, to be given to mez_drivers_destroy; NULL after an error.
//
// MEZ_ERRC_INVALID_PARAMETER: `drivers` is NULL, an invalid look, or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_drivers_create(
    const mez_drivers_params *params, mez_drivers **drivers);

// In the order in which loaders open them, the CPU driver last. The count is 0 for NULL. The driver
// is NULL if `index` is not below the count.
MEZ_API uint32_t mez_drivers_get_count(const mez_drivers *drivers);
MEZ_API const mez_found_driver *mez_drivers_get_driver(const mez_drivers *drivers, uint32_t index);

// Frees the list and sets *drivers to NULL; *drivers may be NULL.
MEZ_API void mez_drivers_destroy(mez_drivers **drivers);

MEZ_END

#endif
