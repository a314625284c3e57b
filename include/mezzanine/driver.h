// SPDX-License-Identifier: MIT
//
// What a context's driver can do beyond Level Zero 1.4. docs/devices.md lists what is used
// from which driver on. Programs need none of this: what a driver lacks is done in another way.
//
// Found out once, when the context is created, from what the driver lists and promises, never by
// trying: drivers accept flags that they do not know, and ignore them.
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
    MEZ_FUNCTION_OF_LOADER = 1, // the loader has it, and the driver's version promises it
    MEZ_FUNCTION_OF_DRIVER = 2, // the driver gave it out by its name
} mez_function_origin;

// A function that is newer than Level Zero 1.4.
typedef struct mez_driver_function {
    const char *name;
    uint32_t since; // specification that has it: major << 16 | minor; 0: none has
    mez_function_origin origin;
    uint64_t reserved[2]; // zero: mezzanine/base.h
} mez_driver_function;

typedef struct mez_driver_info {
    uint32_t api_version;    // major << 16 | minor
    uint32_t driver_version; // as the driver numbers itself
    // The loader gives out handles of its own in place of the driver's, as it does where several
    // drivers are loaded. Then only functions of the loader can be used.
    bool wrapped_handles;

    // What there is, as Mezzanine judges by the lists and versions:
    bool in_order_lists;    // immediate lists that keep an order and can be waited for
    bool counter_events;    // events that need no reset, for tasks in such lists
    bool host_functions;    // the driver calls a function when a list comes to it
    bool linked_modules;    // several SPIR-V modules in one build
    bool large_allocations; // above the device's limit, if asked for

    const mez_driver_extension *extensions; // that the driver lists, in its order
    size_t extension_count;
    const mez_driver_function *functions; // that Mezzanine has looked for
    size_t function_count;
    uint64_t reserved[8]; // zero: mezzanine/base.h
} mez_driver_info;

// What there is to know of the context's driver. All zero for NULL. The lists and names in it live
// as long as the context.
MEZ_API void mez_context_get_driver_info(const mez_context *context, mez_driver_info *info);

MEZ_END

#endif
