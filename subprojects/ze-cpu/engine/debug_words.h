// SPDX-License-Identifier: MIT
//
// Debug information in SPIR-V, as far as it must change. Clang says of each variable in which
// address space it lies (constu, swap, xderef), which debuggers do not understand; all address
// spaces are one here.
//
// Done to the words, since LLVM's C API cannot change such expressions in every version.

#ifndef ZC_ENGINE_DEBUG_WORDS_H
#define ZC_ENGINE_DEBUG_WORDS_H

#include <stdbool.h>
#include <stdint.h>

// What is known of a module's ids on the way through it.
struct zc_debug_words {
    uint8_t *marks; // of each id below `bound`
    uint32_t bound;
};

// `bound` is the module's. False: there is no memory. Finish in either case.
bool zc_debug_words_init(struct zc_debug_words *debug, uint32_t bound);
void zc_debug_words_finish(struct zc_debug_words *debug);

// To be given each instruction in turn, which may become shorter. Returns its length.
uint32_t zc_debug_words_plain(struct zc_debug_words *debug, uint32_t *instruction);

#endif
