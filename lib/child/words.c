// SPDX-License-Identifier: MIT

#include "child/words.h"

#include <string.h>

#include "base/alloc.h"

#define BLANKS " \t\r\n"

// --- Lists

// The NULL behind the last word is an item that is not counted.
mez_error mez_words_add(mez_words *words, const char *word)
{
    char *copy = mez_copy_string(word);
    if (copy && mez_vector_push(words, copy)) {
        if (mez_vector_push(words, NULL))
            return words->count--, mez_ok();
        words->items[--words->count] = NULL;
    }
    mez_free_memory(copy);
    return mez_error_no_memory("a command line");
}

void mez_words_finish(mez_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        mez_free_memory(words->items[i]);
    mez_vector_finish(words);
}

// --- Taking apart

// What is inside "...", where \ only counts before what it could be needed for.
static const char *take_double_quoted(const char *text, char **end)
{
    while (*text && *text != '"') {
        if (*text == '\\' && text[1] && strchr("\"\\$`", text[1]))
            text++;
        *(*end)++ = *text++;
    }
    return *text ? text + 1 : NULL;
}

static const char *take_single_quoted(const char *text, char **end)
{
    while (*text && *text != '\'')
        *(*end)++ = *text++;
    return *text ? text + 1 : NULL;
}

// Writes the first word of `text`, which does not begin with a blank, to `word`, where there is room for all of the text. Returns
// what is behind it; NULL: the text ends too early.
static const char *take_word(const char *text, char *word)
{
    while (text && *text && !strchr(BLANKS, *text)) {
        if (*text == '"')
            text = take_double_quoted(text + 1, &word);
        else if (*text == '\'')
            text = take_single_quoted(text + 1, &word);
        else if (*text == '\\' && !text[1])
            text = NULL;
        else {
            text += *text == '\\';
            *word++ = *text++;
        }
    }
    *word = '\0';
    return text;
}

static mez_error split(mez_words *words, const char *text, char *word)
{
    const char *rest = text + strspn(text, BLANKS);
    while (*rest) {
        rest = take_word(rest, word);
        if (!rest)
            return mez_error_make(
                MEZ_ERRC_INVALID_PARAMETER, "the options end inside a quoted word: %s", text);
        MEZ_TRY(mez_words_add(words, word));
        rest += strspn(rest, BLANKS);
    }
    return mez_ok();
}

mez_error mez_words_split(mez_words *words, const char *text)
{
    char *word = mez_alloc_array(strlen(text) + 1, 1);
    const mez_error error = word ? split(words, text, word) : mez_error_no_memory("a command line");
    mez_free_memory(word);
    return error;
}
