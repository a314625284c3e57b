// SPDX-License-Identifier: MIT

#include "compile/compile.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "child/child.h"
#include "child/scratch.h"
#include "compile/command.h"
#include "compile/depfile.h"
#include "container/bundle.h"
#include "spirv/module.h"
#include "spirv/rewrite.h"

#define TEXT_NAME "source.cl"

typedef struct run {
    const mez_compile_params *params;
    mez_compile_options options;
    mez_stop *stop, own_stop;
    mez_scratch scratch;
    char *name;   // of the source, for people
    bool is_text; // which clang reads from a file of ours
    char *input;  // what clang reads: params' path or the text's file
    char *text, *bitcode, *spirv, *stripped, *list, *printed; // files in the scratch folder
    mez_text log, steps;
} run;

// --- The source

// Two ? may begin a trigraph, and a name need not be UTF-8, which clang warns of in a string.
static void add_marked(char c, mez_bytes *text)
{
    char octal[8];
    if (c & 0x80) {
        snprintf(octal, sizeof octal, "\\%03o", (unsigned)(unsigned char)c);
        mez_bytes_add_text(text, octal);
        return;
    }
    if (c == '"' || c == '\\' || c == '?')
        mez_bytes_add_text(text, "\\");
    mez_bytes_add(text, c == '\n' || c == '\r' ? " " : &c, 1);
}

// The text's own name stands in its first line as the preprocessor takes it, so that nothing shows where it lay.
static void add_marker(const char *name, mez_bytes *text)
{
    mez_bytes_add_text(text, "# 1 \"");
    for (const char *c = name; *c; c++)
        add_marked(*c, text);
    mez_bytes_add_text(text, "\"\n");
}

// clang would take it for source, and complain about each of its bytes.
static mez_error refuse_compiled(const run *run, const void *bytes, size_t size)
{
    const mez_code_format format = mez_code_recognise(bytes, size);
    if (format == MEZ_CODE_UNKNOWN)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_COMPILE_PROGRAM,
        "%s can't be compiled: it is %s%s already, not OpenCL C", run->name,
        mez_code_format_name(format), format == MEZ_CODE_NATIVE ? " code" : "");
}

static mez_error check_file(const run *run)
{
    char start[64]; // as much as any header of code
    FILE *stream = fopen(run->input, "rbe");
    if (!stream)
        return mez_file_error(run->input);
    const size_t size = fread(start, 1, sizeof start, stream);
    fclose(stream);
    return refuse_compiled(run, start, size);
}

// The mark of UTF-8 that some editors put before a text: clang knows it at the beginning of a file alone.
static size_t mark_of(const void *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static mez_error write_text(run *run, const void *bytes, size_t size)
{
    MEZ_TRY(refuse_compiled(run, bytes, size));
    const size_t mark = mark_of(bytes, size);
    mez_bytes text = {0};
    add_marker(run->name, &text);
    mez_bytes_add(&text, (const char *)bytes + mark, size - mark);
    const mez_error error = text.failed ? mez_error_no_memory("a kernel's source")
                                        : mez_file_write(run->text, text.data, text.size);
    mez_bytes_finish(&text);
    return error;
}

static mez_error write_stream(run *run)
{
    mez_file file;
    MEZ_TRY(mez_file_read(run->params->path, &file));
    const mez_error error = write_text(run, file.bytes, file.size);
    mez_file_finish(&file);
    return error;
}

static mez_error find_source(run *run)
{
    if (!run->params->path)
        return write_text(run, run->params->text, run->params->text_size);
    if (run->is_text)
        return write_stream(run);
    return check_file(run);
}

// --- Running a program

static void add_step(const mez_words *command, run *run)
{
    for (size_t i = 0; i < command->count; i++)
        mez_text_add(&run->steps, "%s%s", i ? " " : "", command->items[i]);
    mez_text_add(&run->steps, "\n");
}

// Programs that find no room for their output find none for their messages either, or call it a failure like any other.
static bool may_lack_room(const run *run)
{
    return run->log.length == 0 || strstr(mez_text_get(&run->log), "No space left on device") ||
           strstr(mez_text_get(&run->log), "Disk quota exceeded");
}

static mez_error check_room(const run *run, mez_error error)
{
    static const char piece[65536];
    if (!mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM) || !may_lack_room(run))
        return error;
    const mez_error room = mez_file_write(run->printed, piece, sizeof piece);
    if (!mez_failed(room))
        return error;
    char cause[256];
    mez_error_get_headline(error, cause, sizeof cause);
    return mez_error_add(mez_error_headline(room, "there is no space for the output of a compiler"),
        "advice", "%s; TMPDIR sets the folder for such files", cause);
}

// What the program prints takes the place of the log that there was.
static mez_error run_program(const mez_words *command, run *run)
{
    const mez_child child = {.command = command, .output = run->printed, .stop = run->stop};
    add_step(command, run);
    const mez_error error = mez_child_run(&child);
    mez_text_finish(&run->log);
    run->log = (mez_text){0};
    mez_log_file(run->printed, &run->log);
    return check_room(run, error);
}

// --- clang

static mez_error run_clang(run *run, bool all_functions)
{
    const mez_clang_call call = {.all_functions = all_functions,
        .source = run->input,
        .name = run->name,
        .folder = run->is_text ? run->scratch.path : NULL,
        .result = run->bitcode,
        .list = run->list};
    mez_words command = {0};
    mez_error error = mez_clang_command(run->params, &run->options, &call, &command);
    if (!mez_failed(error))
        error = run_program(&command, run);
    mez_words_finish(&command);
    return error;
}

static mez_error add_advice(const run *run, mez_error error)
{
    const char *log = mez_text_get(&run->log);
    if (strstr(log, "'assert.h' file not found"))
        return mez_error_add(error, "advice", "kernels should include <mezzanine/assert.h>");
    if (strstr(log, "InvalidBitWidth"))
        return mez_error_add(error, "advice",
            "this llvm-spirv only supports integers of 8, 16, 32 and 64 bits, but clang before 19 "
            "uses other sizes for bit-fields that do not fill one of these: add padding to the "
            "bit-fields, or use a newer compiler");
    return error;
}

// The compiler's words first: which program it was and how it ended matters least.
static mez_error explain(const run *run, mez_error error)
{
    if (!mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM))
        return error;
    char program[512];
    mez_error_get_headline(error, program, sizeof program);
    error = mez_error_make(MEZ_ERRC_COMPILE_PROGRAM, "%s does not compile", run->name);
    if (run->log.length)
        error = mez_error_add(error, "build log", "%-s", mez_text_get(&run->log));
    return add_advice(run, mez_error_add(error, "program", "%s", program));
}

static unsigned count_errors(const mez_text *log)
{
    static const char word[] = "error: ";
    unsigned count = 0;
    for (const char *rest = mez_text_get(log); (rest = strstr(rest, word)); rest += strlen(word))
        count++;
    return count;
}

// Where both attempts fail, the messages of the second are taken if there are fewer errors in them: it knows more functions, and
// shows more of the compiler's own header.
static mez_error try_all_functions(run *run)
{
    mez_text log = run->log;
    run->log = (mez_text){0};
    mez_text_add(&run->steps, "that failed; trying again with every function declared:\n");
    const mez_error error = run_clang(run, true);
    if (mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM) &&
        count_errors(&run->log) >= count_errors(&log)) {
        mez_text_finish(&run->log);
        run->log = log;
    } else {
        mez_text_finish(&log);
    }
    return error;
}

// Options that are not known here may make clang do something else, and other programs may stand under its name.
static mez_error check_bitcode(const run *run)
{
    if (access(run->bitcode, F_OK) == 0)
        return mez_ok();
    mez_text options = {0};
    for (size_t i = 0; run->params->options && i < run->params->options->count; i++)
        mez_text_add(&options, " %s", run->params->options->items[i]);
    const mez_error error = mez_error_make(MEZ_ERRC_COMPILE_PROGRAM,
        "%s exited with success, but wrote nothing; the options were:%s",
        run->params->compiler->clang, options.length ? mez_text_get(&options) : " none");
    mez_text_finish(&options);
    return error;
}

static mez_error make_bitcode(run *run)
{
    mez_error error = run_clang(run, false);
    if (mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM))
        error = try_all_functions(run);
    if (!mez_failed(error))
        error = check_bitcode(run);
    return explain(run, error);
}

// --- llvm-spirv

typedef struct attempt {
    const char *most; // version of SPIR-V
    bool registers;
} attempt;

static mez_error run_llvm_spirv(run *run, const attempt *attempt)
{
    const mez_llvm_spirv_call call = {.most = attempt->most,
        .registers = attempt->registers,
        .bitcode = run->bitcode,
        .result = run->spirv};
    mez_words command = {0};
    mez_error error = mez_llvm_spirv_command(run->params, &call, &command);
    if (!mez_failed(error))
        error = run_program(&command, run);
    mez_words_finish(&command);
    return error;
}

static mez_error ask_spirv_val(run *run, const char *path)
{
    mez_words command = {0};
    mez_error error = mez_words_add(&command, run->params->compiler->spirv_val);
    if (!mez_failed(error))
        error = mez_words_add(&command, path);
    if (!mez_failed(error))
        error = run_program(&command, run);
    mez_words_finish(&command);
    return error;
}

static void note_harmless(run *run)
{
    mez_text_add(&run->steps, "drivers accept it nevertheless:\n%-s", mez_text_get(&run->log));
    mez_text_finish(&run->log);
    run->log = (mez_text){0};
}

// The sampler's type, which llvm-spirv 15 declares twice, and the rounding mode that convert_uchar_sat_rte gives integers.
static bool is_harmless(const run *run, mez_error error)
{
    const char *said = mez_text_get(&run->log);
    return mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM) &&
           (strstr(said,
                "Duplicate non-aggregate type declarations are not allowed. Opcode: TypeSampler") ||
               strstr(said,
                   "FPRoundingMode decoration can be applied only to a conversion instruction"));
}

static mez_error write_stripped(run *run, const mez_file *file)
{
    struct mez_spirv_module *module;
    uint32_t *words = NULL, count;
    if (mez_spirv_module_create(file->bytes, file->size, NULL, &module))
        return mez_error_make(MEZ_ERRC_COMPILE_PROGRAM, "%s is not SPIR-V", run->spirv);
    mez_error error = mez_spirv_strip(module, NULL, &words, &count)
                          ? mez_error_no_memory("a copy of a module")
                          : mez_file_write(run->stripped, words, (size_t)count * sizeof *words);
    mez_free_memory(words);
    mez_spirv_module_destroy(&module);
    return error;
}

static mez_error strip(run *run)
{
    mez_file file;
    MEZ_TRY(mez_file_read(run->spirv, &file));
    const mez_error error = write_stripped(run, &file);
    mez_file_finish(&file);
    return error;
}

// spirv-val measures what is said about the code, too: debug information, where llvm-spirv has a dialect that drivers know, with ids
// that are defined further on, and hints for loops by the rules that shaders have. No driver refuses that, so the code is judged by
// itself.
static mez_error validate_stripped(run *run)
{
    mez_text log = run->log;
    run->log = (mez_text){0};
    mez_text_add(&run->steps, "that failed; trying again without debug information and hints:\n");
    mez_error error = strip(run);
    if (!mez_failed(error))
        error = ask_spirv_val(run, run->stripped);
    if (mez_failed(error)) {
        mez_text_finish(&log);
        return error;
    }
    mez_text_finish(&run->log);
    run->log = log;
    note_harmless(run);
    return mez_ok();
}

static mez_error validate(run *run)
{
    if (!run->params->validate || !run->params->compiler->spirv_val)
        return mez_ok();
    mez_error error = ask_spirv_val(run, run->spirv);
    if (mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM))
        error = validate_stripped(run);
    if (!is_harmless(run, error))
        return error;
    note_harmless(run);
    return mez_ok();
}

static mez_error write_without_texts(const run *run, const mez_file *file)
{
    struct mez_spirv_module *module;
    uint32_t *words, count;
    enum mez_spirv_status status = mez_spirv_module_create(file->bytes, file->size, NULL, &module);
    if (status) // whoever reads the result says what is wrong
        return status == MEZ_SPIRV_NO_MEMORY ? mez_error_no_memory("a module") : mez_ok();
    status = mez_spirv_drop_annotation_texts(module, NULL, &words, &count);
    mez_error error = status ? mez_error_no_memory("a copy of a module") : mez_ok();
    if (words)
        error = mez_file_write(run->spirv, words, (size_t)count * sizeof *words);
    mez_free_memory(words);
    mez_spirv_module_destroy(&module);
    return error;
}

static mez_error drop_annotation_texts(const run *run)
{
    mez_file file;
    MEZ_TRY(mez_file_read(run->spirv, &file));
    const mez_error error = write_without_texts(run, &file);
    mez_file_finish(&file);
    return error;
}

// Nothing of an earlier attempt is taken for the result.
static mez_error try_to_translate(run *run, const attempt *attempt)
{
    unlink(run->spirv);
    MEZ_TRY(run_llvm_spirv(run, attempt));
    if (access(run->spirv, F_OK) != 0)
        return mez_error_make(MEZ_ERRC_COMPILE_PROGRAM, "%s exited with success, but wrote nothing",
            run->params->compiler->llvm_spirv);
    MEZ_TRY(drop_annotation_texts(run));
    return validate(run);
}

static mez_error try_again(run *run, const attempt *attempt)
{
    mez_text_add(&run->steps, "that failed; trying again with SPIR-V %s and variables in %s:\n",
        attempt->most, attempt->registers ? "registers" : "memory");
    return try_to_translate(run, attempt);
}

// llvm-spirv with assertions ends by one where a module needs a newer version than it may write, and prints its own stack.
static bool has_crashed(mez_error error)
{
    char program[512];
    mez_error_get_headline(error, program, sizeof program);
    return strstr(program, "was ended by signal");
}

// What the first attempt said is the log where all fail, or the first one that did not crash.
static mez_error translate_otherwise(
    run *run, const attempt *attempts, size_t count, mez_error first)
{
    mez_text log = run->log;
    for (size_t i = 0; i < count; i++) {
        run->log = (mez_text){0};
        const mez_error error = try_again(run, &attempts[i]);
        if (!mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM)) {
            mez_text_finish(&log);
            return error;
        }
        if (!has_crashed(first)) {
            mez_text_finish(&run->log);
            continue;
        }
        mez_text_finish(&log);
        log = run->log;
        first = error;
    }
    run->log = log;
    return first;
}

// Drivers that know 1.2 alone are in use, and llvm-spirv takes what is newer where it may, as for printf; but what some functions of
// sub-groups need is in 1.3. Variables stay in memory at -O0, for debuggers; images can't, where llvm-spirv 15 takes them for
// something else there.
static mez_error translate(run *run)
{
    const bool optimise = run->options.optimise;
    const attempt attempts[] = {{"1.2", optimise}, {"1.2", !optimise}, {"1.3", optimise},
        {"1.3", !optimise}, {"1.4", optimise}, {"1.4", !optimise}};
    const mez_error error = try_to_translate(run, &attempts[0]);
    if (!mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM))
        return error;
    return translate_otherwise(run, attempts + 1, sizeof attempts / sizeof *attempts - 1, error);
}

// clang's messages stay the log; llvm-spirv has none where it succeeds.
static mez_error make_spirv(run *run)
{
    mez_text log = run->log;
    run->log = (mez_text){0};
    const mez_error error = explain(run, translate(run));
    mez_text_add(&log, "%-s", mez_text_get(&run->log));
    mez_text_finish(&run->log);
    run->log = log;
    return error;
}

// --- The result

static mez_error read_list(const run *run, mez_words *files)
{
    mez_file list;
    MEZ_TRY(mez_file_read(run->list, &list));
    mez_words all = {0};
    mez_error error = mez_depfile_read(list.bytes, list.size, &all);
    for (size_t i = 0; i < all.count && !mez_failed(error); i++)
        if (!run->is_text || strcmp(all.items[i], run->text) != 0)
            error = mez_words_add(files, all.items[i]);
    mez_words_finish(&all);
    mez_file_finish(&list);
    if (!mez_error_is(error, MEZ_ERRC_FILE))
        return error;
    return mez_error_add(mez_error_headline(error, "what %s includes can't be read", run->name),
        "advice",
        "such a list can't contain names with a line break: rename the source, its headers or "
        "their folders");
}

// The name of the scratch file is in the preprocessor's first lines, before the one that names the text.
static mez_error forget_path(const run *run, mez_file *file)
{
    const size_t length = strlen(run->text);
    const char *rest = file->bytes, *end = rest + file->size, *found;
    mez_bytes text = {0};
    while ((found = memmem(rest, (size_t)(end - rest), run->text, length))) {
        mez_bytes_add(&text, rest, (size_t)(found - rest));
        mez_bytes_add_text(&text, TEXT_NAME);
        rest = found + length;
    }
    mez_bytes_add(&text, rest, (size_t)(end - rest));
    if (text.failed) {
        mez_bytes_finish(&text);
        return mez_error_no_memory("a kernel's source");
    }
    mez_file_finish(file);
    *file = (mez_file){.bytes = text.data, .size = text.size};
    return mez_ok();
}

static mez_error read_result(const run *run, mez_compiled *compiled)
{
    const bool spirv = run->params->output == MEZ_COMPILE_SPIRV;
    mez_file file;
    MEZ_TRY(read_list(run, &compiled->files));
    MEZ_TRY(mez_file_read(spirv ? run->spirv : run->bitcode, &file));
    mez_error error = mez_ok();
    if (run->params->output == MEZ_COMPILE_PREPROCESSED && run->is_text)
        error = forget_path(run, &file);
    compiled->code = file.bytes;
    compiled->size = file.size;
    return error;
}

// --- All of it

// clang's own parts would take a name that begins with a hyphen for an option, behind "--" as well.
static char *input_of(const run *run)
{
    const char *path = run->is_text ? run->text : run->params->path;
    return path ? mez_print_string("%s%s", *path == '-' ? "./" : "", path) : NULL;
}

// A text whose name ends like a folder's, or that has none, is the source in there: debug information needs the name of a file.
static char *name_of(const mez_compile_params *params)
{
    const char *name = params->path ? params->path : params->name ? params->name : "";
    const size_t length = strlen(name);
    const bool whole = length > 0 && name[length - 1] != '/' && name[length - 1] != '\\';
    return mez_print_string("%s%s", name, whole ? "" : TEXT_NAME);
}

static mez_error begin(run *run)
{
    const mez_compile_params *params = run->params;
    run->name = name_of(params);
    if (!run->name)
        return mez_error_no_memory("a source's name");
    run->is_text = !params->path || mez_file_is_stream(params->path);
    run->stop = params->stop ? params->stop : mez_stop_of_thread();
    if (!run->stop)
        run->stop = &run->own_stop;
    MEZ_TRY(mez_compile_options_read(params->options, &run->options));
    MEZ_TRY(mez_scratch_init(&run->scratch));
    const char *folder = run->scratch.path;
    run->text = mez_print_string("%s/%s", folder, TEXT_NAME);
    run->bitcode = mez_print_string("%s/kernels.bc", folder);
    run->spirv = mez_print_string("%s/kernels.spv", folder);
    run->stripped = mez_print_string("%s/stripped.spv", folder);
    run->list = mez_print_string("%s/files", folder);
    run->printed = mez_print_string("%s/printed", folder);
    run->input = input_of(run);
    return run->input && run->text && run->bitcode && run->spirv && run->stripped && run->list &&
                   run->printed
               ? mez_ok()
               : mez_error_no_memory("names of files");
}

static mez_error compile(run *run, mez_compiled *compiled)
{
    MEZ_TRY(begin(run));
    MEZ_TRY(find_source(run));
    MEZ_TRY(make_bitcode(run));
    if (run->params->output == MEZ_COMPILE_SPIRV)
        MEZ_TRY(make_spirv(run));
    return read_result(run, compiled);
}

static void finish(run *run)
{
    mez_scratch_finish(&run->scratch);
    mez_free_memory(run->name);
    mez_free_memory(run->input);
    mez_free_memory(run->text);
    mez_free_memory(run->bitcode);
    mez_free_memory(run->spirv);
    mez_free_memory(run->stripped);
    mez_free_memory(run->list);
    mez_free_memory(run->printed);
    mez_text_finish(&run->log);
    mez_text_finish(&run->steps);
}

static mez_error keep_text(const mez_text *text, char **copy)
{
    *copy = mez_copy_string(mez_text_get(text));
    return *copy ? mez_ok() : mez_error_no_memory("a compiler's messages");
}

mez_error mez_compile(const mez_compile_params *params, mez_compiled *compiled)
{
    run run = {.params = params, .own_stop = MEZ_STOP_INIT};
    *compiled = (mez_compiled){0};
    mez_error error = compile(&run, compiled);
    if (mez_error_is(error, MEZ_ERRC_WRONG_STATE))
        error = mez_error_headline(error, "the compilation of %s was stopped", run.name);
    const mez_error log = keep_text(&run.log, &compiled->log);
    const mez_error steps = keep_text(&run.steps, &compiled->steps);
    finish(&run);
    if (!mez_failed(error))
        error = mez_failed(log) ? log : steps;
    return error;
}

void mez_compiled_finish(mez_compiled *compiled)
{
    mez_free_memory(compiled->code);
    mez_words_finish(&compiled->files);
    mez_free_memory(compiled->log);
    mez_free_memory(compiled->steps);
    *compiled = (mez_compiled){0};
}
