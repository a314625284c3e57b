// SPDX-License-Identifier: MIT
//
// Stops the work of a call from another thread.
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe, except for destroying.

#ifndef MEZZANINE_STOP_H
#define MEZZANINE_STOP_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// A stop for calls that start programs. Several calls may use the same stop at the same time.
typedef struct mez_stop mez_stop;

// Creates a stop. *stop is yours, to be given to mez_stop_destroy when no call uses it any more;
// NULL after an error. MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_stop_create(mez_stop **stop);

// Frees the stop and sets *stop to NULL; *stop may be NULL.
MEZ_API void mez_stop_destroy(mez_stop **stop);

// Kills the programs that calls with this stop have started. These calls start no other programs
// and return MEZ_ERRC_WRONG_STATE, as do later calls with the same stop. Signal handlers must not
// call this function, because it takes a lock. Does nothing for NULL.
MEZ_API void mez_stop_now(mez_stop *stop);

// Has mez_stop_now been called? False for NULL.
MEZ_API bool mez_stop_is_set(mez_stop *stop);

// Sets the stop for calls of this thread that take no stop, such as mez_image_create with a source,
// or that are given none, such as mez_compilation_create. When stopped, such calls return
// MEZ_ERRC_WRONG_STATE as well. NULL removes the stop, which must live until then. Returns the stop
// that was set before; NULL: none. Takes no lock.
MEZ_API mez_stop *mez_thread_set_stop(mez_stop *stop);

MEZ_END

#endif
