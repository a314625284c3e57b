// SPDX-License-Identifier: MIT
//
// A context ties devices, memory, images and queues together. Most programs have one.
//
// With no params it takes the GPUs that the installed drivers report, else the CPU driver that comes with Mezzanine.
// MEZ_DEVICE=gpu|cpu|<part of a name> overrides the params. Which drivers are loaded is decided once per process, by its first
// context; see docs/environment.md.
//
// Thread-safety: a context may be used from any number of threads; create and destroy it from one.

#ifndef MEZZANINE_CONTEXT_H
#define MEZZANINE_CONTEXT_H

#include <mezzanine/base.h>
#include <mezzanine/device.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef struct mez_context mez_context;

typedef struct mez_context_params {
    const char *debug_name; // shown in messages; copied
    const char *device;     // "gpu", "cpu" or part of a device's name; NULL: the best there is
} mez_context_params;

// Opens Level Zero if that has not happened, and takes every device that fits, best first.
//
// MEZ_ERRC_PLATFORM: no loader, no driver or no device that fits; the story lists each driver that was tried and why it
//     failed, and the device nodes with their permissions.
// MEZ_ERRC_WRONG_STATE: an earlier context chose other drivers; the story names MEZ_DRIVERS, which loads both.
// MEZ_ERRC_INVALID_PARAMETER: `context` is NULL, or an environment variable has no meaning.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API mez_error mez_context_create_at(
    const mez_location *where, const mez_context_params *params, mez_context **context);
#ifndef __cplusplus
#define mez_context_create(...) mez_context_create_at(MEZ_HERE, __VA_ARGS__)
#endif

// Frees the context and sets *context to NULL. Destroy its queues (which waits for their tasks and reports failed asserts),
// kernels, images, events and memory first: what is left is named in a warning, and nothing may be done with it any more.
MEZ_API void mez_context_destroy(mez_context **context);

// Devices are numbered from 0, the best first. NULL where there is no such device.
MEZ_API uint32_t mez_context_device_count(const mez_context *context);
MEZ_API mez_device *mez_context_device(const mez_context *context, uint32_t index);

MEZ_END

#endif
