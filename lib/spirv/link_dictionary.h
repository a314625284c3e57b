// SPDX-License-Identifier: MIT
//
// A dictionary of what modules say in the same way: each entry is a row of words, such as an instruction and what is said about
// it, and has the number of whoever said it first. Words are added at the end, and looked up from where they start.
//
// Thread-safety: none.

#ifndef MEZ_SPIRV_LINK_DICTIONARY_H
#define MEZ_SPIRV_LINK_DICTIONARY_H

#include "spirv/link_parts.h"

struct mez_spirv_entry {
    uint32_t start, length; // in `words`
    uint32_t id;            // of who said it first; 0: a free slot
    uint32_t part;          // whose that is
};

struct mez_spirv_dictionary {
    struct mez_spirv_entry *slots;
    uint32_t slot_count; // a power of two, at least twice the entries
    uint32_t *words;
    uint32_t count, capacity; // of words
    bool out_of_memory;       // from then on nothing in it means anything
};

// Makes one with room for `entries`. To be finished, also where there was no memory.
void mez_spirv_dictionary_init(struct mez_spirv_dictionary *dictionary, uint32_t entries);
void mez_spirv_dictionary_finish(struct mez_spirv_dictionary *dictionary);

void mez_spirv_dictionary_add(struct mez_spirv_dictionary *dictionary, uint32_t word);

// Adds what defines something and what is said about it, but for names. Ids become what `numbers` has for their definitions, and
// the own one 0. False: it can't be compared.
bool mez_spirv_dictionary_add_piece(struct mez_spirv_dictionary *dictionary,
    const struct mez_spirv_link_part *part, uint32_t piece, const uint32_t *numbers);

// Ends the row that begins at `start`. Returns the entry that says the same: a new one with this part and id, or an old one.
const struct mez_spirv_entry *mez_spirv_dictionary_find_or_add(
    struct mez_spirv_dictionary *dictionary, uint32_t start, uint32_t part, uint32_t id);

#endif
