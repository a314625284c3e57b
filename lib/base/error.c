// SPDX-License-Identifier: MIT
//
// Making errors, and writing their stories.

#include "base/error.h"

#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "base/process.h"
#include "base/story.h"
#include "base/text.h"

#define PLACE_NAME "called from"

// To add to. The caller holds the store's lock.
static mez_story *find_open(mez_error error)
{
    mez_story *story = mez_store_find(error);
    return story && !story->sealed ? story : NULL;
}

static mez_error make(mez_category category, int32_t value, const char *format, va_list arguments)
{
    mez_error error = mez_error_of(category, value);
    mez_story *story = mez_new(mez_story);
    if (!story)
        return error;
    mez_text_add_list(&story->headline, format, arguments);
    error.origin |= mez_store_add(story) << 8;
    return error;
}

mez_error mez_error_make(mez_condition condition, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const mez_error error =
        make(mez_condition_get_category(condition), (int32_t)condition, format, arguments);
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

static void free_part(mez_story_part *part)
{
    if (!part)
        return;
    mez_text_finish(&part->text);
    mez_free_memory(part);
}

// Texts have no line ends behind them: how they are shown is the reader's business.
static mez_story_part *make_part(const char *name, const char *format, va_list arguments)
{
    mez_story_part *part = mez_new(mez_story_part);
    if (!part)
        return NULL;
    part->name = name;
    mez_text_add_list(&part->text, format, arguments);
    while (part->text.length > 0 && part->text.string[part->text.length - 1] == '\n')
        part->text.string[--part->text.length] = '\0';
    return part;
}

// Takes the field over.
static void give_field(mez_error error, mez_story_part *field)
{
    mez_store_lock();
    mez_story *story = find_open(error);
    if (story && field) {
        mez_list_append(&story->fields, field, next);
        field = NULL;
    }
    mez_store_unlock();
    free_part(field);
}

mez_error mez_error_add(mez_error error, const char *name, const char *format, ...)
{
    if (!mez_failed(error))
        return error;
    // Often a success, whose words would be put together for nobody.
    if (mez_story_number(error) == 0)
        return error;
    va_list arguments;
    va_start(arguments, format);
    give_field(error, make_part(name, format, arguments));
    va_end(arguments);
    return error;
}

// What it was is the first cause now. The caller holds the store's lock. `raised` is taken over: its text becomes the headline,
// and it is the part that has the old one.
static void raise_headline(mez_story *story, mez_story_part *raised)
{
    const mez_text headline = raised->text;
    raised->text = story->headline;
    story->headline = headline;
    mez_list_push(&story->causes, raised, next);
}

mez_error mez_error_headline(mez_error error, const char *format, ...)
{
    if (mez_story_number(error) == 0)
        return error;
    va_list arguments;
    va_start(arguments, format);
    mez_story_part *raised = make_part(NULL, format, arguments);
    va_end(arguments);

    mez_store_lock();
    mez_story *story = find_open(error);
    if (story && raised) {
        raise_headline(story, raised);
        raised = NULL;
    }
    mez_store_unlock();
    free_part(raised);
    return error;
}

static bool claim_place(mez_error error)
{
    mez_store_lock();
    mez_story *story = find_open(error);
    const bool claimed = story && !story->has_place;
    if (claimed)
        story->has_place = true;
    mez_store_unlock();
    return claimed;
}

mez_error mez_error_add_place(mez_error error, const mez_location *where)
{
    if (!mez_failed(error) || !where || !where->file || !claim_place(error))
        return error;
    const char *function = where->function ? where->function : "unknown function";
    if (where->column > 0)
        return mez_error_add(
            error, PLACE_NAME, "%s:%d:%d, %s", where->file, where->line, where->column, function);
    return mez_error_add(error, PLACE_NAME, "%s:%d, %s", where->file, where->line, function);
}

// The macros of the C interface put the place in, and have the names without "_at".
static int length_as_called(const char *function)
{
    const size_t length = strlen(function);
    const bool with_place = length > 3 && strcmp(function + length - 3, "_at") == 0;
    return (int)(with_place ? length - 3 : length);
}

mez_error mez_error_closed(const mez_location *where, const char *function)
{
    const bool forked = atomic_load(&mez_process) == MEZ_PROCESS_FORKED;
    mez_error error = mez_error_make(MEZ_ERRC_WRONG_STATE, "%.*s was called %s",
        length_as_called(function), function,
        forked ? "in a child of fork(), where the parent's Level Zero driver does not work"
               : "when the program had begun to end, and with it the Level Zero driver");
    error = mez_error_add(error, "what helps", "%s",
        forked ? "use Level Zero in one of the two alone: fork before the first context is "
                 "created, or call exec in the child"
               : "wait and destroy before main returns, or in a handler of atexit that is "
                 "registered when the first context has been created");
    return mez_error_add_place(error, where);
}

mez_error mez_error_missing(const mez_location *where, const char *function, const char *what)
{
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%.*s needs \"%s\", but got NULL", length_as_called(function), function, what);
    return mez_error_add_place(error, where);
}

mez_error mez_error_attach(mez_error error, const void *data, size_t size)
{
    void *spare = mez_alloc_array(size, 1);
    if (!spare)
        return error;
    memcpy(spare, data, size);
    mez_store_lock();
    mez_story *story = find_open(error);
    if (story) {
        void *old = story->attachment;
        story->attachment = spare;
        story->attachment_size = size;
        spare = old;
    }
    mez_store_unlock();
    mez_free_memory(spare);
    return error;
}

size_t mez_error_get_attachment(mez_error error, void *data, size_t size)
{
    mez_store_lock();
    const mez_story *story = mez_store_find(error);
    const size_t there = story ? story->attachment_size : 0;
    if (there > 0 && size > 0)
        memcpy(data, story->attachment, there < size ? there : size);
    mez_store_unlock();
    return there;
}

mez_error mez_error_seal(mez_error error)
{
    mez_store_lock();
    mez_story *story = mez_store_find(error);
    if (story)
        story->sealed = true;
    mez_store_unlock();
    return error;
}
