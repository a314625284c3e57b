// SPDX-License-Identifier: MIT
//
// Native code and variables in memory: an object, loaded with LLVM's ORC.

#ifndef ZC_ENGINE_JIT_H
#define ZC_ENGINE_JIT_H

#include "bytes.h"
#include "log.h"

#include <llvm-c/LLJIT.h>

struct zc_symbol {
    char *name;
    void *address;
};

// A list of symbols with names of its own.
struct zc_symbols {
    struct zc_symbol *list;
    size_t count;
};

// False: memory is short. At most `capacity` can be added.
bool zc_symbols_init(struct zc_symbols *symbols, size_t capacity);
bool zc_symbols_add(
    struct zc_symbols *symbols, const char *prefix, const char *name, void *address);
void zc_symbols_finish(struct zc_symbols *symbols);

struct zc_jit_request {
    struct zc_span object;
    bool has_debug_info;            // debuggers are notified
    const struct zc_symbols *given; // what the object may refer to, beside the run-time functions
    struct zc_symbols *wanted;      // what it defines: gets the addresses
};

// False: the log says why. *jit owns what was loaded.
bool zc_jit_load(struct zc_log *log, const struct zc_jit_request *request, LLVMOrcLLJITRef *jit);
void zc_jit_close(LLVMOrcLLJITRef jit); // NULL is accepted

#endif
