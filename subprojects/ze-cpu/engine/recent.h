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

// A reference to the program that was built from that; NULL: there is none. Thread-safe.
struct zc_program *zc_recent_find(const struct zc_writer *key);
// Keeps a reference to a program that was built. Takes the key's bytes. Thread-safe.
void zc_recent_add(struct zc_writer *key, struct zc_program *program);

// May two modules be the same program? Not where each has variables of its own, or is going to be linked.
bool zc_recent_is_shareable(const struct zc_program *program);

#endif
