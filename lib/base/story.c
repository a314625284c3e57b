// SPDX-License-Identifier: MIT
//
// The store of stories; then reading one as a paragraph, in parts, and as JSON. Reading needs no memory but in mez_error_print, which
// does without.

#include "base/story.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/list.h"
#include "base/process.h"
#include "base/text.h"

// --- The store

#define NUMBER_MASK 0xffffffu

static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static mez_story *ring[MEZ_STORY_SLOTS];
static mez_story *kept; // retained beyond the ring's bound
// 24 bits, 0 is never given. Where it begins differs between copies of the library in one process.
static uint32_t last_number;

MEZ_FREE_AT_FORK(store_lock, MEZ_FORK_INNER)

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

// An error that another copy of the library has made must not be given the story of one of ours.
static uint32_t first_number(void)
{
    return (uint32_t)(((uintptr_t)ring >> 12) * UINT32_C(2654435761) >> 8);
}

// Gives the story the next number and its slot.
static void enter_ring(mez_story *story)
{
    if (last_number == 0)
        last_number = first_number();
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

// --- As a paragraph

// "\n    name: text"; further lines of the text are indented more.
static void add_line(mez_bounded *out, const char *name, const char *text)
{
    mez_bounded_add_string(out, "\n    ");
    mez_bounded_add_string(out, name);
    mez_bounded_add_string(out, ": ");
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        mez_bounded_add(out, text, (size_t)(end - text));
        mez_bounded_add_string(out, "\n        ");
    }
    mez_bounded_add_string(out, text);
}

static void add_parts(mez_bounded *out, const mez_story_part *part)
{
    for (; part; part = part->next)
        add_line(out, part->name ? part->name : "because", mez_text_get(&part->text));
}

size_t mez_error_get_story(mez_error error, char *buffer, size_t size)
{
    mez_bounded out = mez_bounded_begin(buffer, size);
    mez_bounded_add_string(&out, "mezzanine: ");
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    if (story) {
        mez_bounded_add_string(&out, mez_text_get(&story->headline));
        add_line(&out, mez_error_get_name(error), mez_error_get_message(error));
        add_parts(&out, story->causes);
        add_parts(&out, story->fields);
    }
    mez_store_unlock();
    if (!story) {
        mez_bounded_add_string(&out, mez_error_get_name(error));
        mez_bounded_add_string(&out, ": ");
        mez_bounded_add_string(&out, mez_error_get_message(error));
    }
    return out.length;
}

// A stream may block, so that the story is copied before.
void mez_error_print(FILE *stream, mez_error error)
{
    if (!stream || !mez_failed(error))
        return;
    const size_t size = mez_error_get_story(error, NULL, 0) + 1;
    char *story = mez_alloc_array(size, 1);
    if (story) {
        mez_error_get_story(error, story, size);
        fprintf(stream, "%s\n", story);
    } else {
        fprintf(
            stream, "mezzanine: %s: %s\n", mez_error_get_name(error), mez_error_get_message(error));
    }
    mez_free_memory(story);
}

// --- In parts

static size_t copy_text(const mez_text *text, char *buffer, size_t size)
{
    mez_bounded out = mez_bounded_begin(buffer, size);
    if (text)
        mez_bounded_add(&out, mez_text_get(text), text->length);
    return out.length;
}

static size_t count_parts(const mez_story_part *part)
{
    size_t count = 0;
    for (; part; part = part->next)
        count++;
    return count;
}

static const mez_story_part *find_part(const mez_story_part *part, size_t index)
{
    for (; part && index > 0; index--)
        part = part->next;
    return part;
}

size_t mez_error_get_headline(mez_error error, char *buffer, size_t size)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const size_t length = copy_text(story ? &story->headline : NULL, buffer, size);
    mez_store_unlock();
    return length;
}

size_t mez_error_get_cause_count(mez_error error)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const size_t count = story ? count_parts(story->causes) : 0;
    mez_store_unlock();
    return count;
}

size_t mez_error_get_cause(mez_error error, size_t index, char *buffer, size_t size)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const mez_story_part *cause = story ? find_part(story->causes, index) : NULL;
    const size_t length = copy_text(cause ? &cause->text : NULL, buffer, size);
    mez_store_unlock();
    return length;
}

size_t mez_error_get_field_count(mez_error error)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const size_t count = story ? count_parts(story->fields) : 0;
    mez_store_unlock();
    return count;
}

size_t mez_error_get_field(
    mez_error error, size_t index, const char **name, char *buffer, size_t size)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const mez_story_part *field = story ? find_part(story->fields, index) : NULL;
    const size_t length = copy_text(field ? &field->text : NULL, buffer, size);
    if (name)
        *name = field ? field->name : NULL;
    mez_store_unlock();
    return length;
}

size_t mez_error_find_field(mez_error error, const char *name, char *buffer, size_t size)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const mez_story_part *field = story && name ? story->fields : NULL;
    while (field && strcmp(field->name, name) != 0)
        field = field->next;
    const size_t length = copy_text(field ? &field->text : NULL, buffer, size);
    mez_store_unlock();
    return length;
}

// --- As JSON

static void write_code(mez_json *json, mez_error error)
{
    const mez_condition condition = mez_error_get_condition(error);
    mez_json_string(json, "category", mez_category_get_name(mez_error_get_category(error)));
    mez_json_integer(json, "value", error.value);
    mez_json_string(json, "name", mez_error_get_name(error));
    mez_json_string(json, "message", mez_error_get_message(error));
    mez_json_string(json, "condition", mez_condition_get_name(condition));
    mez_json_string(json, "family", mez_category_get_name(mez_condition_get_category(condition)));
}

static void write_story(mez_json *json, const mez_story *story)
{
    mez_json_string(json, "headline", story ? mez_text_get(&story->headline) : "");
    mez_json_open(json, "causes", '[');
    for (const mez_story_part *cause = story ? story->causes : NULL; cause; cause = cause->next)
        mez_json_string(json, NULL, mez_text_get(&cause->text));
    mez_json_close(json, ']');
    mez_json_open(json, "fields", '[');
    for (const mez_story_part *field = story ? story->fields : NULL; field; field = field->next) {
        mez_json_open(json, NULL, '{');
        mez_json_string(json, "name", field->name);
        mez_json_string(json, "text", mez_text_get(&field->text));
        mez_json_close(json, '}');
    }
    mez_json_close(json, ']');
}

size_t mez_error_get_json(mez_error error, char *buffer, size_t size)
{
    mez_json json = {.text = mez_bounded_begin(buffer, size), .one_line = true};
    mez_json_open(&json, NULL, '{');
    write_code(&json, error);
    mez_store_lock();
    write_story(&json, mez_store_find(error));
    mez_store_unlock();
    mez_json_close(&json, '}');
    return json.text.length;
}
