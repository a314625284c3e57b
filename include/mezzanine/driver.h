// SPDX-License-Identifier: MIT
//
// What a context's driver can do beyond Level Zero 1.4. docs/devices.md lists which driver has
// which feature first. Programs need not ask: where a driver lacks a feature, the library does
// without it.
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

MEZ_END

#endif
