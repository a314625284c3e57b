// SPDX-License-Identifier: MIT
//
// SPIR-V before it is translated: checked, cleaned and specialised. Knows nothing of LLVM.

#ifndef ZC_ENGINE_WORDS_H
#define ZC_ENGINE_WORDS_H

#include "engine.h"
#include "log.h"

// A module whose instructions all lie within it.
struct zc_words {
    uint32_t *data;
    size_t count;
};
#define ZC_SPIRV_HEADER_WORDS 5
#define ZC_SPIRV_BOUND 3 // the header's word that all ids are below

// words.c: copies the module; free words->data. False: the log says why.
bool zc_words_read(struct zc_log *log, const struct zc_spirv *spirv, struct zc_words *words);

// composites.c: writes composites that are made of values as llvm-spirv-15 understands them. False: no memory.
bool zc_composites_spell_out(struct zc_log *log, struct zc_words *words);

// rewriting.c: what llvm-spirv-15 can't translate becomes other instructions. False: the log says why.
bool zc_words_rewrite(struct zc_log *log, struct zc_words *words);

// specialise.c: gives the specialization constants their new values, and makes literal numbers of
// what execution modes name by id, since llvm-spirv-15 aborts on those. False: the log says why.
bool zc_specialise(
    struct zc_log *log, struct zc_words *words, const struct zc_constants *constants);

#endif
