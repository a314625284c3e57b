// SPDX-License-Identifier: MIT

#include "source/inputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "compile/compiler.h"

// --- More than files

static const char *const volatile_words[MEZ_VOLATILE_WORDS] = {
    "__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_include_next", "__has_embed"};

// --- Reading

typedef struct reader {
    const char *next, *end;
} reader;

static bool begins(const reader *reader, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(reader->end - reader->next) >= length &&
           memcmp(reader->next, with, length) == 0;
}

// The end of a line that goes on: a \, which ??/ stands for too, and blanks that compilers ignore. 0: there is none.
static size_t length_of_splice(const reader *reader)
{
    const size_t mark = begins(reader, "\\") ? 1 : begins(reader, "?\?/") ? 3 : 0;
    for (const char *c = reader->next + mark; mark && c < reader->end; c++) {
        const size_t length = (size_t)(c + 1 - reader->next);
        if (*c == '\n')
            return length;
        if (*c == '\r')
            return length + (c + 1 < reader->end && c[1] == '\n');
        if (*c != ' ' && *c != '\t' && *c != '\f' && *c != '\v')
            return 0;
    }
    return 0;
}

static void pass_splices(reader *reader)
{
    size_t length;
    while ((length = length_of_splice(reader)))
        reader->next += length;
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

// A name's length, which may be greater than that of any word; of such the end is missing.
static size_t take_name(reader *reader, char name[MEZ_VOLATILE_LENGTH])
{
    size_t length = 0;
    while (reader->next < reader->end && is_of_name(*reader->next)) {
        if (length < MEZ_VOLATILE_LENGTH)
            name[length] = *reader->next;
        length++;
        reader->next++;
        pass_splices(reader);
    }
    return length;
}

// --- Pieces

static void note_piece(mez_volatile *seen, size_t word, const char *name, size_t length)
{
    const size_t whole = strlen(volatile_words[word]);
    for (size_t i = 0; i + length <= whole; i++)
        if (memcmp(volatile_words[word] + i, name, length) == 0)
            seen->pieces[word][i] |= (uint32_t)1 << length;
}

static void note_name(mez_volatile *seen, const char *name, size_t length)
{
    for (size_t i = 0; length <= MEZ_VOLATILE_LENGTH && i < MEZ_VOLATILE_WORDS; i++)
        note_piece(seen, i, name, length);
}

// The operator, in the spellings that it has; one that a line's end parts is seen by its first half.
static bool is_hash(const reader *reader)
{
    return begins(reader, "##") || begins(reader, "%:%:") || begins(reader, "?\?=") ||
           begins(reader, "#\\") || begins(reader, "#?\?/") || begins(reader, "%\\") ||
           begins(reader, "%?\?/") || begins(reader, "%:\\") || begins(reader, "%:?\?/");
}

void mez_volatile_look(mez_volatile *seen, const char *text, size_t size)
{
    reader reader = {text, text + size};
    char name[MEZ_VOLATILE_LENGTH];
    while (reader.next < reader.end) {
        const size_t length = take_name(&reader, name);
        if (length > 0) {
            note_name(seen, name, length);
            continue;
        }
        seen->pastes = seen->pastes || is_hash(&reader);
        reader.next++;
    }
}

// --- Words

static bool can_be_made(const mez_volatile *seen, size_t word)
{
    const size_t whole = strlen(volatile_words[word]);
    uint32_t ends = 1; // where a row of pieces may end
    if (seen->pieces[word][0] & (uint32_t)1 << whole)
        return true;
    for (size_t i = 0; i < whole; i++)
        if (ends & (uint32_t)1 << i)
            ends |= seen->pieces[word][i] << i;
    return seen->pastes && (ends & (uint32_t)1 << whole);
}

bool mez_volatile_is(const mez_volatile *seen)
{
    for (size_t i = 0; i < MEZ_VOLATILE_WORDS; i++)
        if (can_be_made(seen, i))
            return true;
    return false;
}

// --- Lists

// Each is its kind, its path and a NUL.
void mez_source_inputs_add(mez_bytes *list, mez_source_input_kind kind, const char *path)
{
    const char letter = (char)kind;
    mez_bytes_add(list, &letter, 1);
    mez_bytes_add(list, path, strlen(path) + 1);
}

bool mez_source_inputs_next(const void *list, size_t size, size_t *offset, mez_source_input *input)
{
    const char *bytes = list;
    if (*offset >= size)
        return false;
    input->kind = (mez_source_input_kind)bytes[*offset];
    input->path = bytes + *offset + 1;
    *offset += 1 + strlen(input->path) + 1;
    return true;
}

bool mez_source_inputs_are_whole(const void *list, size_t size)
{
    const char *next = list, *end = next + size;
    while (next < end) {
        const bool known = *next == MEZ_SOURCE_READ || *next == MEZ_SOURCE_ABSENT;
        const char *nul = known ? memchr(next, '\0', (size_t)(end - next)) : NULL;
        if (!nul || nul == next + 1)
            return false;
        next = nul + 1;
    }
    return true;
}

// --- Files that are not there

// --- Options

// Options of folders, in the order in which the compiler goes through them.
static const char *const folder_options[] = {"-iquote", "-I", "-isystem", "-idirafter"};

#define FOLDER_OPTIONS (sizeof folder_options / sizeof *folder_options)

// Beginnings of options that make the compiler read no file. An option that is not among them and does not name a folder may.
static const char *const harmless[] = {
    "-D", "-U", "-O", "-g", "-cl-", "-W", "-w", "-f", "-m", "-pedantic", "-std=", "-v"};

// Those that begin so, and do.
static const char *const harmful[] = {
    "-Wp,", "-fplugin", "-fprofile", "-fmodule", "-fsanitize", "-fbuild", "-mllvm"};

static bool begins_with_one(const char *word, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, list) begins_with_one(word, list, sizeof list / sizeof *list)

// Files that are read first are looked for where the process is, too; no folder is named by them.
static bool is_file_option(const char *word)
{
    return strcmp(word, "-include") == 0 || strcmp(word, "-imacros") == 0;
}

static bool takes_the_next_word(const char *word)
{
    if (is_file_option(word) || strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0)
        return true;
    for (size_t i = 0; i < FOLDER_OPTIONS; i++)
        if (strcmp(word, folder_options[i]) == 0)
            return true;
    return false;
}

static bool is_followed(const char *word)
{
    return is_file_option(word) || IS_ONE_OF(word, folder_options) ||
           (IS_ONE_OF(word, harmless) && !IS_ONE_OF(word, harmful));
}

// The folder that word number `*index` names by `option`; NULL: none. Steps over a value that is a word of its own.
static const char *folder_at(const mez_words *options, size_t *index, const char *option)
{
    const char *word = options->items[*index];
    const bool next = takes_the_next_word(word) && *index + 1 < options->count;
    *index += next;
    const size_t length = strlen(option);
    if (strncmp(word, option, length) != 0)
        return NULL;
    return word[length] ? word + length : next ? options->items[*index] : NULL;
}

static mez_error add_folders(
    mez_source_folders *folders, const mez_words *options, const char *option)
{
    for (size_t i = 0; i < options->count; i++) {
        const char *folder = folder_at(options, &i, option);
        if (!folder)
            continue;
        folders->relative = folders->relative || folder[0] != '/';
        MEZ_TRY(mez_words_add(&folders->list, folder));
    }
    return mez_ok();
}

// Where the compiler looks last.
static mez_error add_our_headers(mez_source_folders *folders)
{
    char folder[PATH_MAX];
    return mez_kernel_headers_find(folder, sizeof folder) ? mez_words_add(&folders->list, folder)
                                                          : mez_ok();
}

// Where these are set, the compiler looks in more folders than the options name.
static bool has_other_folders(void)
{
    static const char *const clang_variables[] = {
        "CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"};
    for (size_t i = 0; i < sizeof clang_variables / sizeof *clang_variables; i++) {
        const char *value = getenv(clang_variables[i]);
        if (value && *value)
            return true;
    }
    return false;
}

mez_error mez_source_folders_read(
    const mez_words *options, mez_source_folders *folders, bool *followed)
{
    *folders = (mez_source_folders){0};
    *followed = !has_other_folders();
    for (size_t i = 0; i < options->count; i++) {
        *followed = *followed && is_followed(options->items[i]);
        folders->relative = folders->relative || is_file_option(options->items[i]);
        i += takes_the_next_word(options->items[i]);
    }
    for (size_t i = 0; i < FOLDER_OPTIONS; i++)
        MEZ_TRY(add_folders(folders, options, folder_options[i]));
    return add_our_headers(folders);
}

void mez_source_folders_finish(mez_source_folders *folders)
{
    mez_words_finish(&folders->list);
}

// --- Places

// What stands behind the folder, as the compiler puts both together; NULL: the file is not below it.
static const char *name_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0)
        return NULL;
    const bool slash = length > 0 && folder[length - 1] == '/';
    if (!slash && path[length] != '/')
        return NULL;
    return path + length + !slash;
}

static bool has_word(const mez_words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], word) == 0)
            return true;
    return false;
}

// "folder/" of "folder/file.h"; "" is where the process is.
static mez_error add_folder_of(const char *path, mez_words *places)
{
    const char *slash = strrchr(path, '/');
    char *folder = mez_print_string("%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    if (!folder)
        return mez_error_no_memory("a path");
    const mez_error error = has_word(places, folder) ? mez_ok() : mez_words_add(places, folder);
    mez_free_memory(folder);
    return error;
}

// Where quoted includes may have been looked for first.
static mez_error find_quoting(
    const mez_source_folders *folders, const mez_words *files, mez_words *places)
{
    if (folders->relative)
        MEZ_TRY(mez_words_add(places, ""));
    for (size_t i = 0; i < files->count; i++)
        MEZ_TRY(add_folder_of(files->items[i], places));
    return mez_ok();
}

static mez_error add_if_absent(
    const char *folder, const char *between, const char *name, mez_bytes *list)
{
    if (list->size > MEZ_SOURCE_MOST_BYTES)
        return mez_ok();
    char *place = mez_print_string("%s%s%s", folder, between, name);
    if (!place)
        return mez_error_no_memory("a path");
    if (access(place, F_OK) != 0)
        mez_source_inputs_add(list, MEZ_SOURCE_ABSENT, place);
    mez_free_memory(place);
    return list->failed ? mez_error_no_memory("a list of files") : mez_ok();
}

// The file is found by `name` in folder number `found` of the options.
static mez_error add_places_before(const mez_source_folders *folders, size_t found,
    const mez_words *quoting, const char *name, mez_bytes *list)
{
    for (size_t i = 0; i < found; i++)
        MEZ_TRY(add_if_absent(folders->list.items[i], "/", name, list));
    for (size_t i = 0; i < quoting->count; i++)
        MEZ_TRY(add_if_absent(quoting->items[i], "", name, list));
    return mez_ok();
}

// Of a file that no option leads to: folders of the compiler and of the system, which come last, are called "include".
static mez_error add_places_before_system(
    const mez_source_folders *folders, const char *file, const mez_words *quoting, mez_bytes *list)
{
    static const char folder[] = "/include/";
    for (const char *found = file; (found = strstr(found, folder)); found++) {
        const char *name = found + strlen(folder);
        MEZ_TRY(add_places_before(folders, folders->list.count, quoting, name, list));
    }
    return mez_ok();
}

static mez_error add_places_of(
    const mez_source_folders *folders, const char *file, const mez_words *quoting, mez_bytes *list)
{
    bool is_below = false;
    for (size_t i = 0; i < folders->list.count; i++) {
        const char *name = name_below(file, folders->list.items[i]);
        if (!name)
            continue;
        is_below = true;
        MEZ_TRY(add_places_before(folders, i, quoting, name, list));
    }
    return is_below ? mez_ok() : add_places_before_system(folders, file, quoting, list);
}

mez_error mez_source_add_absent(
    const mez_source_folders *folders, const mez_words *files, mez_bytes *list)
{
    mez_words quoting = {0};
    mez_error error = find_quoting(folders, files, &quoting);
    for (size_t i = 0;
         i < files->count && list->size <= MEZ_SOURCE_MOST_BYTES && !mez_failed(error); i++)
        error = add_places_of(folders, files->items[i], &quoting, list);
    mez_words_finish(&quoting);
    return error;
}
