// SPDX-License-Identifier: MIT
//
// Who defines a symbol: the parts of an image, in their order, then those of its libraries.
//
// Thread-safety: none for the same object.

#ifndef MEZ_IMAGE_DEFINITIONS_H
#define MEZ_IMAGE_DEFINITIONS_H

#include "image/image.h"

typedef struct mez_definition {
    mez_part *part;
    const mez_part_code *code;
    uint32_t id;
    bool is_function;
} mez_definition;

// What an image and its libraries define, for those who look for many symbols: each part is looked at once, when it is its turn.
// Zeroed memory except for the image is one of which nothing has been looked at.
typedef struct mez_definitions {
    const mez_image *image;
    uint32_t library, part; // the next to look at; library 0 is the image itself
    MEZ_NAMED(struct mez_exported) exports;
    bool incomplete; // there was no memory for what some part defines
} mez_definitions;

// False: nobody defines it. A part that can't be read defines nothing: whoever uses it by itself gets the reason. `but` is left out,
// which is the part that imports the symbol.
bool mez_definitions_find(
    mez_definitions *definitions, const mez_part *but, const char *symbol, mez_definition *found);
void mez_definitions_finish(mez_definitions *definitions);

// The same for one symbol.
bool mez_find_definition(
    const mez_image *image, const mez_part *but, const char *symbol, mez_definition *found);

#endif
