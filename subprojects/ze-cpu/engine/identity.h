// SPDX-License-Identifier: MIT
//
// Who can run a native binary. Each of the three texts says it for people, too.

#ifndef ZC_ENGINE_IDENTITY_H
#define ZC_ENGINE_IDENTITY_H

#include "log.h"
#include "native.h"

// This engine, to the byte, and its LLVM: native code relies on the run-time functions and the layout
// of contexts that it was made with.
const char *zc_identity_engine(void);

// This processor; NULL: LLVM cannot compile for it. Code may use any of the features listed, so that
// a processor that has them all can run it.
const char *zc_identity_processor(void);

// A device and how it treats asserts; malloc'ed, NULL when memory is short.
char *zc_identity_device(const struct zc_features *features, bool native_asserts, uint32_t checks);

// False: the log says which of the three does not fit.
bool zc_identity_check(struct zc_log *log, const struct zc_native *native, const char *device);

#endif
