// SPDX-License-Identifier: MIT
//
// Ending work early from another thread.
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe, except for destroying.

#ifndef MEZZANINE_STOP_H
#define MEZZANINE_STOP_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// Given to calls that start programs. It may be given to several at the same time.
typedef struct mez_stop mez_stop;

// *stop is yours, to be given to mez_stop_destroy when no call uses it any more; NULL after an
// error. MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_stop_create(mez_stop **stop);

// Sets *stop to NULL; NULL inside is fine.
MEZ_API void mez_stop_destroy(mez_stop **stop);

// Kills the programs that calls with this stop have started, and lets them start no others: they
// return MEZ_ERRC_WRONG_STATE, as do later ones. It takes a lock, so that a signal handler must not
// call it. Nothing happens for NULL.
MEZ_API void mez_stop_now(mez_stop *stop);

// Has mez_stop_now been called? False for NULL.
MEZ_API bool mez_stop_is_set(mez_stop *stop);

// Stops also what this thread runs where a call takes no stop, or is given none: mez_image_create
// of a source, mez_compilation_create. Such calls then return MEZ_ERRC_WRONG_STATE, too. NULL:
// nobody stops it any more. The stop has to stay until then. Returns what was set before, NULL at
// first; it takes no lock.
MEZ_API mez_stop *mez_thread_set_stop(mez_stop *stop);

MEZ_END

#endif
