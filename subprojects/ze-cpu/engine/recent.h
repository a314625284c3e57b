// SPDX-License-Identifier: MIT
//
// Programs that were built lately in this process. Who builds the same once more, from equal modules, flags and settings, gets the
// native code of the first without llvm-spirv and LLVM. Frameworks do so for each of their streams and threads.

#ifndef ZC_ENGINE_RECENT_H
#define ZC_ENGINE_RECENT_H

#include "bytes.h"
#include "program.h"

// All that a build depends on, in bytes, which the caller frees. Size 0: it is to be built in any case.
struct zc_writer zc_recent_key(const struct zc_build_request *request, const char *device);

// What was built from the same. All members 0: nothing was, or there is no memory.
struct zc_recent {
    struct zc_program
        *program; // for all modules, with a reference; NULL where each module needs one of its own
    struct zc_writer own_binary; // the native binary to make that of, which the caller owns
};

// Thread-safe.
struct zc_recent zc_recent_find(const struct zc_writer *key);
// Keeps a reference to a program that was built, or its native binary where each module has variables of its own, or is going to be
// linked. Takes the key's bytes. Thread-safe.
void zc_recent_add(struct zc_writer *key, struct zc_program *program);

#endif
