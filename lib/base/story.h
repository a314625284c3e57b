// SPDX-License-Identifier: MIT
//
// Stories of errors: what one consists of, and the store of the process that keeps them, where its number leads to it. error.c writes
// stories, story.c keeps and reads them.

#ifndef MEZ_BASE_STORY_H
#define MEZ_BASE_STORY_H

#include "base/error.h"

// A cause, which has no name, or a field.
typedef struct mez_story_part {
    struct mez_story_part *next;
    const char *name; // static
    mez_text text;
} mez_story_part;

typedef struct mez_story {
    uint32_t number;
    uint32_t retained; // references by mez_error_retain
    mez_text headline;
    mez_story_part *causes; // headlines of levels below, the lowest last
    mez_story_part *fields; // in the order in which they were added
    void *attachment;
    size_t attachment_size;
    bool has_place;
    bool sealed;            // many have it: nobody adds to it any more
    struct mez_story *next; // in the list of retained stories that have left the ring
} mez_story;

static inline uint32_t mez_story_number(mez_error error)
{
    return error.origin >> 8;
}

// Guards the store and everything in its stories. Held while text is copied, never while foreign code runs.
void mez_store_lock(void);
void mez_store_unlock(void);

// Takes the story over, and returns its number.
uint32_t mez_store_add(mez_story *story);

// The error's story; NULL: it has none, or it has given way. The caller holds the lock.
mez_story *mez_store_find(mez_error error);

#endif
