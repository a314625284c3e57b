// SPDX-License-Identifier: MIT

#include "build/build.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "child/child.h"
#include "container/bundle.h"

// The last lines that a program printed say most; as many of them as one wants to read.
#define OUTPUT_ROOM 8192

typedef struct run {
    const mez_aot *aot;
    mez_words command;
    char *code, *result, *output; // paths
} run;

// --- The command

static mez_error add_words(mez_words *command, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(mez_words_add(command, words[i]));
    return mez_ok();
}

static mez_error write_command(run *run)
{
    const mez_aot *aot = run->aot;
    const char *const words[] = {aot->target->aot_toolchain, "compile", "-spirv_input", "-file",
        run->code, "-out_dir", aot->folder, "-output", aot->result_name, "-output_no_suffix"};
    MEZ_TRY(add_words(&run->command, words, sizeof words / sizeof *words));
    MEZ_TRY(mez_words_split(&run->command, aot->target->aot_options));
    return aot->options ? mez_words_split(&run->command, aot->options) : mez_ok();
}

static mez_error find_paths(run *run)
{
    const mez_aot *aot = run->aot;
    run->code = mez_print_string("%s/%s", aot->folder, aot->code_name);
    run->result = mez_print_string("%s/%s", aot->folder, aot->result_name);
    run->output = mez_print_string("%s/%s.log", aot->folder, aot->result_name);
    return run->code && run->result && run->output ? mez_ok()
                                                   : mez_error_no_memory("a command line");
}

// --- What it printed

// The end of the file, from the beginning of a line on where there is more before it.
static void add_end(FILE *stream, long size, mez_text *text)
{
    char room[OUTPUT_ROOM + 1];
    const bool cut = size > OUTPUT_ROOM;
    if (fseek(stream, cut ? size - OUTPUT_ROOM : 0, SEEK_SET) != 0)
        return;
    const size_t length = fread(room, 1, OUTPUT_ROOM, stream);
    for (size_t i = 0; i < length; i++)
        if (!room[i])
            room[i] = ' ';
    room[length] = '\0';
    const char *line = cut ? strchr(room, '\n') : NULL;
    mez_text_add(text, "%-s%-s", cut ? "...\n" : "", line ? line + 1 : room);
}

static void read_output(const char *path, mez_text *text)
{
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return;
    const long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    if (size > 0)
        add_end(stream, size, text);
    fclose(stream);
}

// --- Errors

// As one could type it, except for characters that a shell takes specially.
static void add_command(const mez_words *command, mez_text *text)
{
    for (size_t i = 0; i < command->count; i++)
        mez_text_add(text, "%s%s", i ? " " : "", command->items[i]);
}

static mez_error explain(const run *run, mez_error error, const char *printed)
{
    mez_text command = {0};
    add_command(&run->command, &command);
    error = mez_error_add(error, "target", "%s", run->aot->target->name);
    error = mez_error_add(error, "command", "%-s", mez_text_get(&command));
    mez_text_finish(&command);
    if (*printed)
        error = mez_error_add(error, "it says", "%-s", printed);
    if (!mez_error_is(error, MEZ_ERRC_FILE))
        return error;
    return mez_error_add(error, "advice",
        "install it (ocloc is in Debian's package intel-opencl-icd), or name another program as "
        "aot-toolchain of %s in a device configuration file",
        run->aot->target->name);
}

// --- Running

// Newer versions of ocloc add a suffix, whatever their options are, and not all the same one: the name and a dot or a line follow.
static bool is_result(const run *run, const char *name)
{
    const size_t length = strlen(run->aot->result_name);
    return strncmp(name, run->aot->result_name, length) == 0 &&
           (name[length] == '.' || name[length] == '_') && strcmp(name + length, ".log") != 0;
}

static bool take_name(run *run, const char *name)
{
    char *path = mez_print_string("%s/%s", run->aot->folder, name);
    if (!path)
        return false;
    mez_free_memory(run->result);
    run->result = path;
    return true;
}

static bool find_result(run *run)
{
    if (access(run->result, F_OK) == 0)
        return true;
    DIR *folder = opendir(run->aot->folder);
    if (!folder)
        return false;
    bool found = false;
    for (const struct dirent *entry; !found && (entry = readdir(folder));)
        found = is_result(run, entry->d_name) && take_name(run, entry->d_name);
    closedir(folder);
    return found;
}

static mez_error read_result(run *run, mez_file *binary)
{
    const char *program = run->aot->target->aot_toolchain;
    if (!find_result(run))
        return mez_error_make(MEZ_ERRC_COMPILE_PROGRAM,
            "%s exited with success, but did not write %s", program, run->aot->result_name);
    MEZ_TRY(mez_file_read(run->result, binary));
    if (mez_code_recognise(binary->bytes, binary->size) == MEZ_CODE_NATIVE)
        return mez_ok();
    mez_file_finish(binary);
    return mez_error_make(
        MEZ_ERRC_COMPILE_PROGRAM, "%s wrote a file that is not native code", program);
}

static mez_error compile(run *run, mez_text *output, mez_file *binary)
{
    MEZ_TRY(find_paths(run));
    MEZ_TRY(write_command(run));
    const mez_child child = {
        .command = &run->command, .output = run->output, .stop = run->aot->stop};
    mez_text printed = {0};
    mez_error error = mez_child_run(&child);
    read_output(run->output, &printed);
    if (!mez_failed(error))
        error = read_result(run, binary);
    if (mez_failed(error) && !mez_error_is(error, MEZ_ERRC_WRONG_STATE))
        error = explain(run, error, mez_text_get(&printed));
    mez_text_add(output, "%-s", mez_text_get(&printed));
    mez_text_finish(&printed);
    return error;
}

mez_error mez_aot_compile(const mez_aot *aot, mez_text *output, mez_file *binary)
{
    run run = {.aot = aot};
    *binary = (mez_file){0};
    const mez_error error = compile(&run, output, binary);
    mez_words_finish(&run.command);
    mez_free_memory(run.code);
    mez_free_memory(run.result);
    mez_free_memory(run.output);
    return error;
}
