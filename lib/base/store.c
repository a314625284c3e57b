// SPDX-License-Identifier: MIT

#include "base/store.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/list.h"

#define NUMBER_MASK 0xffffffu

static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static mez_story *ring[MEZ_STORY_SLOTS];
static mez_story *kept;      // retained beyond the ring's bound
static uint32_t last_number; // 24 bits, 0 is never given

void mez_store_lock(void)
{
    pthread_mutex_lock(&store_lock);
}

void mez_store_unlock(void)
{
    pthread_mutex_unlock(&store_lock);
}

static void free_parts(mez_story_part *parts)
{
    mez_story_part *part;
    while (mez_list_pop(&parts, part, next)) {
        mez_text_finish(&part->text);
        mez_free_memory(part);
    }
}

static void story_free(mez_story *story)
{
    if (!story)
        return;
    mez_text_finish(&story->headline);
    free_parts(story->causes);
    free_parts(story->fields);
    mez_free_memory(story->attachment);
    mez_free_memory(story);
}

static mez_story *find(uint32_t number)
{
    if (number == 0)
        return NULL;
    mez_story *story = ring[number % MEZ_STORY_SLOTS];
    if (story && story->number == number)
        return story;
    for (story = kept; story; story = story->next)
        if (story->number == number)
            return story;
    return NULL;
}

mez_story *mez_store_find(mez_error error)
{
    return find(mez_story_number(error));
}

// The caller holds the lock, here and below.
static void give_way(mez_story **slot)
{
    mez_story *old = *slot;
    *slot = NULL;
    if (old && old->retained > 0) {
        mez_list_push(&kept, old, next);
    } else {
        story_free(old);
    }
}

// Gives the story the next number and its slot.
static void enter_ring(mez_story *story)
{
    do {
        last_number = (last_number + 1) & NUMBER_MASK;
    } while (last_number == 0 || find(last_number)); // a number retained since the last turn
    story->number = last_number;
    mez_story **slot = &ring[last_number % MEZ_STORY_SLOTS];
    give_way(slot);
    *slot = story;
}

uint32_t mez_store_add(mez_story *story)
{
    mez_store_lock();
    enter_ring(story);
    const uint32_t number = story->number;
    mez_store_unlock();
    return number;
}

mez_error mez_error_retain(mez_error error)
{
    if (mez_story_number(error) == 0)
        return error;
    mez_store_lock();
    mez_story *story = mez_store_find(error);
    if (story)
        story->retained++;
    mez_store_unlock();
    return error;
}

// Gives up a reference. Returns the story if that was its last and it has left the ring.
static mez_story *put(mez_error error)
{
    mez_story *story = mez_store_find(error);
    if (!story || story->retained == 0 || --story->retained > 0)
        return NULL;
    if (ring[story->number % MEZ_STORY_SLOTS] == story)
        return NULL;
    mez_list_remove(&kept, story, next);
    return story;
}

void mez_error_release(mez_error error)
{
    if (mez_story_number(error) == 0)
        return;
    mez_store_lock();
    story_free(put(error));
    mez_store_unlock();
}

mez_error mez_error_hand_over(mez_error error)
{
    if (mez_story_number(error) == 0)
        return error;
    mez_store_lock();
    mez_story *story = put(error);
    if (story) {
        enter_ring(story);
        error.origin = (error.origin & 0xffu) | story->number << 8;
    }
    mez_store_unlock();
    return error;
}

// The store belongs to the process; emptied at its end so that leak checkers see only real leaks.
__attribute__((destructor)) static void store_finish(void)
{
    for (size_t i = 0; i < MEZ_STORY_SLOTS; i++) {
        story_free(ring[i]);
        ring[i] = NULL;
    }
    mez_story *story;
    while (mez_list_pop(&kept, story, next))
        story_free(story);
}
