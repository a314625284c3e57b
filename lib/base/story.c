// SPDX-License-Identifier: MIT

#include "base/story.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/text.h"

#define PLACE_LABEL "called from"
#define NUMBER_MASK 0xffffffu

struct story {
    uint32_t number;
    uint32_t retained; // references by mez_error_retain
    mez_text headline;
    mez_text lines; // "    label: text\n" each
    void *attachment;
    size_t attachment_size;
    bool has_place;
    bool sealed;        // many have it: nobody adds to it any more
    struct story *next; // in the list of retained stories that have left the ring
};

// Guards the ring, the list and everything in the stories. Held while text is copied, never while foreign code runs.
static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER;
static struct story *ring[MEZ_STORY_SLOTS];
static struct story *kept;   // retained beyond the ring's bound
static uint32_t last_number; // 24 bits, 0 is never given

static void story_free(struct story *story)
{
    if (!story)
        return;
    mez_text_finish(&story->headline);
    mez_text_finish(&story->lines);
    mez_free_memory(story->attachment);
    mez_free_memory(story);
}

static uint32_t story_number(mez_error error)
{
    return error.origin >> 8;
}

// The caller holds store_lock.
static struct story *find(uint32_t number)
{
    if (number == 0)
        return NULL;
    struct story *story = ring[number % MEZ_STORY_SLOTS];
    if (story && story->number == number)
        return story;
    for (story = kept; story; story = story->next)
        if (story->number == number)
            return story;
    return NULL;
}

// To add to. The caller holds store_lock.
static struct story *find_open(mez_error error)
{
    struct story *story = find(story_number(error));
    return story && !story->sealed ? story : NULL;
}

// The caller holds store_lock.
static void give_way(struct story **slot)
{
    struct story *old = *slot;
    *slot = NULL;
    if (old && old->retained > 0) {
        old->next = kept;
        kept = old;
    } else {
        story_free(old);
    }
}

// Gives the story the next number and its slot. The caller holds store_lock.
static void enter_ring(struct story *story)
{
    do {
        last_number = (last_number + 1) & NUMBER_MASK;
    } while (last_number == 0 || find(last_number)); // a number retained since the last turn
    story->number = last_number;
    struct story **slot = &ring[last_number % MEZ_STORY_SLOTS];
    give_way(slot);
    *slot = story;
}

// Takes the story into the store and returns its number.
static uint32_t keep(struct story *story)
{
    pthread_mutex_lock(&store_lock);
    enter_ring(story);
    const uint32_t number = story->number;
    pthread_mutex_unlock(&store_lock);
    return number;
}

static mez_error make(mez_category category, int32_t value, const char *format, va_list arguments)
{
    mez_error error = {.value = value, .origin = (uint32_t)category};
    struct story *story = mez_new(struct story);
    if (!story)
        return error;
    mez_text_add_list(&story->headline, format, arguments);
    error.origin |= keep(story) << 8;
    return error;
}

mez_error mez_error_make(mez_condition condition, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const mez_category category =
        condition < MEZ_ERRC_COMPILE_PROGRAM ? MEZ_CATEGORY_RUNTIME : MEZ_CATEGORY_DEVICE;
    const mez_error error = make(category, (int32_t)condition, format, arguments);
    va_end(arguments);
    return error;
}

mez_error mez_error_make_native(mez_category category, int32_t value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const mez_error error = make(category, value, format, arguments);
    va_end(arguments);
    return error;
}

mez_error mez_error_no_memory(const char *what)
{
    return mez_error_make(MEZ_ERRC_OUT_OF_HOST_MEMORY, "no host memory for %s", what);
}

// A text of several lines stays readable: its further lines are indented like its first.
static void add_line(struct story *story, const char *label, const char *words)
{
    mez_text_add(&story->lines, "    %s: ", label);
    for (const char *end; (end = strchr(words, '\n')); words = end + 1) {
        if (end[1] == '\0')
            break;
        mez_text_add(&story->lines, "%.*s\n        ", (int)(end - words), words);
    }
    mez_text_add(&story->lines, "%.*s\n", (int)strcspn(words, "\n"), words);
}

mez_error mez_error_add(mez_error error, const char *label, const char *format, ...)
{
    if (!mez_failed(error))
        return error;
    if (story_number(error) == 0) // often a success, whose words would be put together for nobody
        return error;
    mez_text words = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&words, format, arguments);
    va_end(arguments);

    pthread_mutex_lock(&store_lock);
    struct story *story = find_open(error);
    if (story)
        add_line(story, label, mez_text_get(&words));
    pthread_mutex_unlock(&store_lock);
    mez_text_finish(&words);
    return error;
}

// The caller holds store_lock. `headline` is taken over.
static void raise_headline(struct story *story, mez_text *headline)
{
    mez_text lines = story->lines;
    story->lines = (mez_text){0};
    add_line(story, "because", mez_text_get(&story->headline));
    mez_text_add(&story->lines, "%s", mez_text_get(&lines));
    mez_text_finish(&lines);
    mez_text_finish(&story->headline);
    story->headline = *headline;
    *headline = (mez_text){0};
}

mez_error mez_error_headline(mez_error error, const char *format, ...)
{
    if (story_number(error) == 0)
        return error;
    mez_text headline = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&headline, format, arguments);
    va_end(arguments);

    pthread_mutex_lock(&store_lock);
    struct story *story = find_open(error);
    if (story)
        raise_headline(story, &headline);
    pthread_mutex_unlock(&store_lock);
    mez_text_finish(&headline);
    return error;
}

static bool claim_place(mez_error error)
{
    pthread_mutex_lock(&store_lock);
    struct story *story = find_open(error);
    const bool claimed = story && !story->has_place;
    if (claimed)
        story->has_place = true;
    pthread_mutex_unlock(&store_lock);
    return claimed;
}

mez_error mez_error_add_place(mez_error error, const mez_location *where)
{
    if (!mez_failed(error) || !where || !where->file || !claim_place(error))
        return error;
    const char *function = where->function ? where->function : "unknown function";
    return mez_error_add(error, PLACE_LABEL, "%s:%d, %s", where->file, where->line, function);
}

mez_error mez_error_attach(mez_error error, const void *data, size_t size)
{
    void *spare = mez_alloc_array(size, 1);
    if (!spare)
        return error;
    memcpy(spare, data, size);
    pthread_mutex_lock(&store_lock);
    struct story *story = find_open(error);
    if (story) {
        void *old = story->attachment;
        story->attachment = spare;
        story->attachment_size = size;
        spare = old;
    }
    pthread_mutex_unlock(&store_lock);
    mez_free_memory(spare);
    return error;
}

size_t mez_error_get_attachment(mez_error error, void *data, size_t size)
{
    pthread_mutex_lock(&store_lock);
    const struct story *story = find(story_number(error));
    const size_t there = story ? story->attachment_size : 0;
    if (there > 0 && size > 0)
        memcpy(data, story->attachment, there < size ? there : size);
    pthread_mutex_unlock(&store_lock);
    return there;
}

mez_error mez_error_seal(mez_error error)
{
    pthread_mutex_lock(&store_lock);
    struct story *story = find(story_number(error));
    if (story)
        story->sealed = true;
    pthread_mutex_unlock(&store_lock);
    return error;
}

mez_error mez_error_retain(mez_error error)
{
    if (story_number(error) == 0)
        return error;
    pthread_mutex_lock(&store_lock);
    struct story *story = find(story_number(error));
    if (story)
        story->retained++;
    pthread_mutex_unlock(&store_lock);
    return error;
}

// Takes a story off the list of those that have left the ring; false where it has not. The caller holds store_lock.
static bool take_from_kept(struct story *story)
{
    for (struct story **link = &kept; *link; link = &(*link)->next) {
        if (*link == story) {
            *link = story->next;
            return true;
        }
    }
    return false;
}

// Gives up a reference. Returns the story if that was its last and it has left the ring. The caller holds store_lock.
static struct story *put(mez_error error)
{
    struct story *story = find(story_number(error));
    if (!story || story->retained == 0 || --story->retained > 0)
        return NULL;
    return take_from_kept(story) ? story : NULL;
}

void mez_error_release(mez_error error)
{
    if (story_number(error) == 0)
        return;
    pthread_mutex_lock(&store_lock);
    story_free(put(error));
    pthread_mutex_unlock(&store_lock);
}

mez_error mez_error_hand_over(mez_error error)
{
    if (story_number(error) == 0)
        return error;
    pthread_mutex_lock(&store_lock);
    struct story *story = put(error);
    if (story) {
        enter_ring(story);
        error.origin = (error.origin & 0xffu) | story->number << 8;
    }
    pthread_mutex_unlock(&store_lock);
    return error;
}

// "mezzanine: headline\n    NAME: message\n    lines", without a final newline.
static void compose(mez_text *whole, mez_error error)
{
    mez_text_add(whole, "mezzanine: ");
    pthread_mutex_lock(&store_lock);
    const struct story *story = find(story_number(error));
    if (story)
        mez_text_add(whole, "%s\n    ", mez_text_get(&story->headline));
    mez_text_add(whole, "%s: %s", mez_error_name(error), mez_error_message(error));
    if (story && story->lines.length > 0)
        mez_text_add(whole, "\n%.*s", (int)story->lines.length - 1, story->lines.string);
    pthread_mutex_unlock(&store_lock);
}

size_t mez_error_story(mez_error error, char *buffer, size_t size)
{
    mez_text whole = {0};
    compose(&whole, error);
    const size_t length = whole.length;
    if (buffer && size > 0) {
        const size_t copied = length < size ? length : size - 1;
        memcpy(buffer, mez_text_get(&whole), copied);
        buffer[copied] = '\0';
    }
    mez_text_finish(&whole);
    return length;
}

void mez_error_print(FILE *stream, mez_error error)
{
    if (!stream || !mez_failed(error))
        return;
    mez_text whole = {0};
    compose(&whole, error);
    if (whole.length > 0)
        fprintf(stream, "%s\n", mez_text_get(&whole));
    else // no memory for the words
        fprintf(stream, "mezzanine: %s: %s\n", mez_error_name(error), mez_error_message(error));
    mez_text_finish(&whole);
}

// The store belongs to the process; emptied at its end so that leak checkers see only real leaks.
__attribute__((destructor)) static void store_finish(void)
{
    for (size_t i = 0; i < MEZ_STORY_SLOTS; i++) {
        story_free(ring[i]);
        ring[i] = NULL;
    }
    while (kept) {
        struct story *next = kept->next;
        story_free(kept);
        kept = next;
    }
}
