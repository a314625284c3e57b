// SPDX-License-Identifier: MIT

#include "compile/depfile.h"

#include <string.h>

#include "base/alloc.h"

typedef struct reader {
    const char *rest, *end;
    char *word; // as much room as the list has characters
    size_t length;
} reader;

// --- Reading

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// Passes blanks and the ends of lines that go on. False: the rule ends here.
static bool pass_blanks(reader *reader)
{
    while (reader->rest < reader->end) {
        const size_t left = (size_t)(reader->end - reader->rest);
        if (is_blank(*reader->rest))
            reader->rest++;
        else if (left > 1 && reader->rest[0] == '\\' && reader->rest[1] == '\n')
            reader->rest += 2;
        else if (left > 2 && memcmp(reader->rest, "\\\r\n", 3) == 0)
            reader->rest += 3;
        else
            return *reader->rest != '\n';
    }
    return false;
}

static size_t count_backslashes(const reader *reader)
{
    size_t count = 0;
    while (reader->rest + count < reader->end && reader->rest[count] == '\\')
        count++;
    return count;
}

static void put(reader *reader, char c, size_t count)
{
    memset(reader->word + reader->length, c, count);
    reader->length += count;
}

// Those before a blank stand for half of them, the odd one for the blank itself; before a # one of them is dropped; elsewhere they
// are meant. False: the word ends here.
static bool take_backslashes(reader *reader)
{
    const size_t count = count_backslashes(reader);
    const char *behind = reader->rest + count;
    const char next = behind < reader->end ? *behind : '\n';
    if (next == '\n' || next == '\r') {
        put(reader, '\\', count - 1);
        reader->rest = behind - 1;
        return false;
    }
    if (is_blank(next)) {
        put(reader, '\\', count / 2);
        put(reader, next, count % 2);
        reader->rest = behind + count % 2;
        return count % 2;
    }
    put(reader, '\\', next == '#' ? count - 1 : count);
    put(reader, next, next == '#');
    reader->rest = behind + (next == '#');
    return true;
}

// Without its end, which the words of a list of files never have except for the target.
static void take_word(reader *reader)
{
    reader->length = 0;
    while (reader->rest < reader->end && !is_blank(*reader->rest) && *reader->rest != '\n') {
        if (*reader->rest == '\\') {
            if (!take_backslashes(reader))
                return;
            continue;
        }
        const bool doubled = reader->end - reader->rest > 1 && memcmp(reader->rest, "$$", 2) == 0;
        put(reader, *reader->rest, 1);
        reader->rest += 1 + doubled;
    }
}

static bool has(const mez_words *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i], name) == 0)
            return true;
    return false;
}

static mez_error no_list(void)
{
    return mez_error_make(MEZ_ERRC_FILE, "the compiler's list of files is not one that make reads");
}

static mez_error add(reader *reader, mez_words *files)
{
    reader->word[reader->length] = '\0';
    if (strlen(reader->word) != reader->length)
        return no_list();
    if (reader->length == 0 || has(files, reader->word))
        return mez_ok();
    return mez_words_add(files, reader->word);
}

static mez_error read_rule(reader *reader, mez_words *files)
{
    take_word(reader);
    if (reader->length == 0 || reader->word[reader->length - 1] != ':')
        return no_list();
    while (pass_blanks(reader)) {
        const char *before = reader->rest;
        take_word(reader);
        MEZ_TRY(add(reader, files));
        reader->rest += reader->rest == before; // a \ at the very end
    }
    return mez_ok();
}

static mez_error read_rules(reader *reader, mez_words *files)
{
    for (;;) {
        while (!pass_blanks(reader) && reader->rest < reader->end)
            reader->rest++;
        if (reader->rest == reader->end)
            return mez_ok();
        MEZ_TRY(read_rule(reader, files));
    }
}

mez_error mez_depfile_read(const char *text, size_t size, mez_words *files)
{
    reader reader = {.rest = text, .end = text + size, .word = mez_alloc_array(size + 1, 1)};
    const mez_error error =
        reader.word ? read_rules(&reader, files) : mez_error_no_memory("a list of files");
    mez_free_memory(reader.word);
    return error;
}

// --- Writing

static mez_error write_name(const char *name, mez_bytes *text)
{
    size_t backslashes = 0;
    for (const char *c = name; *c; c++) {
        if (*c == '\n' || *c == '\r' || (*c == '\\' && !c[1]))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "a list of files for make can't contain a name with a line break, or with a \\ at "
                "its end: %s",
                name);
        if (*c == ' ' || *c == '\t')
            for (size_t i = 0; i <= backslashes; i++)
                mez_bytes_add_text(text, "\\");
        mez_bytes_add_text(text, *c == '#' ? "\\" : *c == '$' ? "$" : "");
        mez_bytes_add(text, c, 1);
        backslashes = *c == '\\' ? backslashes + 1 : 0;
    }
    return mez_ok();
}

// A name with one of these would be something else in front of a rule's colon: a pattern, a variable.
static bool can_be_target(const char *name)
{
    return !strpbrk(name, ":%=;&|");
}

static mez_error write_prerequisites(const mez_words *files, bool with_sign, mez_bytes *text)
{
    for (size_t i = 0; i < files->count; i++) {
        if ((strchr(files->items[i], '=') != NULL) != with_sign)
            continue;
        mez_bytes_add_text(text, " \\\n  ");
        MEZ_TRY(write_name(files->items[i], text));
    }
    return mez_ok();
}

static mez_error write_empty_rules(const char *source, const mez_words *files, mez_bytes *text)
{
    for (size_t i = 0; i < files->count; i++) {
        const char *name = files->items[i];
        if (!can_be_target(name) || (source && strcmp(name, source) == 0))
            continue;
        MEZ_TRY(write_name(name, text));
        mez_bytes_add_text(text, ":\n");
    }
    return mez_ok();
}

// The rule's own target can't be left out. A last & would make a group of targets.
static mez_error check_target(const char *target)
{
    const size_t length = strlen(target);
    if (length == 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a list of files for make needs the name of an output, but got an empty one");
    if (!strpbrk(target, ":%=;") && target[length - 1] != '&')
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a list of files for make can't begin with the output %s, which make would not read as a "
        "name: use a path without :, %%, =, ; and a final &, or omit the list",
        target);
}

mez_error mez_depfile_write(
    const char *target, const char *source, const mez_words *files, mez_bytes *text)
{
    MEZ_TRY(check_target(target));
    MEZ_TRY(write_name(target, text));
    mez_bytes_add_text(text, ":");
    // In the first place a name with a = would be a variable of the target to make, which would then know none of the files.
    MEZ_TRY(write_prerequisites(files, false, text));
    MEZ_TRY(write_prerequisites(files, true, text));
    mez_bytes_add_text(text, "\n");
    MEZ_TRY(write_empty_rules(source, files, text));
    return text->failed ? mez_error_no_memory("a list of files") : mez_ok();
}
