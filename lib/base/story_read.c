// SPDX-License-Identifier: MIT
//
// Reading stories: as a paragraph, in parts, and as JSON. Nothing here needs memory but mez_error_print, which does without.

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "base/json.h"
#include "base/store.h"

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
