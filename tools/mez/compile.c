// SPDX-License-Identifier: MIT
//
// mez compile: OpenCL C to SPIR-V.

#include <mezzanine/compile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/text.h"
#include "check_code.h"
#include "command.h"
#include "compile_native.h"
#include "compile_output.h"
#include "compile_summary.h"
#include "interrupt.h"

static const char usage[] =
    "usage: mez compile INPUT.cl [-o OUTPUT] [OPTIONS] [COMPILER'S OPTIONS]\n"
    "\n"
    "Compiles kernels in OpenCL C to SPIR-V, with the clang and llvm-spirv that are installed,\n"
    "and shows what the kernels require of a device. Messages of the compiler are printed\n"
    "unchanged. The output file is only replaced once the new one is complete. If INPUT is -,\n"
    "standard input is read.\n"
    "\n"
    "  -o OUTPUT.spv           SPIR-V (default: beside the input); - writes to standard output\n"
    "  -o OUTPUT.bc            LLVM bitcode, for programs of several sources\n"
    "  -o OUTPUT.h             a C header: static const uint32_t OUTPUT_spv[], OUTPUT_spv_size\n"
    "  -o OUTPUT.o             an object file to link with: extern const uint32_t OUTPUT_spv[];\n"
    "                          extern const size_t OUTPUT_spv_size;\n"
    "  -o OUTPUT.table|OUTPUT.syclbin\n"
    "                          SPIR-V, and native code for targets, as from mez build\n"
    "  --format=spv|bc|h|o|table|syclbin\n"
    "                          format of the output (default: by the extension of its name)\n"
    "  --name=NAME             name of the array in a header or an object file\n"
    "  --depfile=FILE          write a list of the files that were read, for make and ninja\n"
    "  --target=NAME           fail if a kernel can't run on this target, such as\n"
    "                          intel_gpu_tgllp, and show why; can be given several times\n"
    "  --device-config-file=F  description of targets (default: MEZ_DEVICE_CONFIG, else built in)\n"
    "  --clang=PROGRAM, --llvm-spirv=PROGRAM\n"
    "                          programs to use (default: those of MEZ_CLANG and MEZ_LLVM_SPIRV,\n"
    "                          else those that mez was built with, else the newest in PATH)\n"
    "  --no-validation         do not run spirv-val, which otherwise runs if it is installed\n"
    "  --quiet                 print only errors and messages of the compiler\n"
    "  --verbose               show which commands are run\n"
    "\n"
    "All other options are passed to clang: -DNAME=VALUE, -Ifolder, -O0 to -O3 (default: -O2),\n"
    "-g, -cl-std=CL3.0 (default: CL2.0), -cl-fast-relaxed-math, -Wall, -Werror, ...\n";

// Everything that one run holds.
struct compile {
    struct compile_request request;
    mez_compilation *compilation;
    char *path;
    mez_bytes text; // of standard input
    bool refused;   // a target can't run a kernel, which was said
    bool printed;   // by the compiler, which has said why where it failed
};

static bool is_native(const struct compile *compile)
{
    return compile->request.format == COMPILE_TABLE || compile->request.format == COMPILE_SYCLBIN;
}

// --- Compiling

static mez_error read_stdin(struct compile *compile)
{
    char room[65536];
    size_t length;
    while ((length = fread(room, 1, sizeof room, stdin)) > 0)
        mez_bytes_add(&compile->text, room, length);
    if (ferror(stdin))
        return mez_error_make(MEZ_ERRC_FILE, "standard input can't be read");
    return compile->text.failed ? mez_error_no_memory("a kernel's source") : mez_ok();
}

// Streams are kept: they may be compiled twice.
static mez_error read_input(struct compile *compile)
{
    mez_file file;
    if (strcmp(compile->request.input, "-") == 0)
        return read_stdin(compile);
    MEZ_TRY(mez_file_read(compile->request.input, &file));
    mez_bytes_add(&compile->text, file.bytes, file.size);
    mez_file_finish(&file);
    return compile->text.failed ? mez_error_no_memory("a kernel's source") : mez_ok();
}

static void print_steps(void *user, const char *text)
{
    const struct compile *compile = user;
    if (compile->request.verbose)
        mez_print(stderr, "%-s", text);
}

static void print_log(void *user, const char *text)
{
    struct compile *compile = user;
    mez_print(stderr, "%-s", text);
    compile->printed = true;
}

static bool is_from_text(const struct compile *compile)
{
    return strcmp(compile->request.input, "-") == 0 || mez_file_is_stream(compile->request.input);
}

static mez_compilation_params params_of(
    const struct compile *compile, const char *options, mez_stop *stop)
{
    const struct compile_request *request = &compile->request;
    const bool from_text = is_from_text(compile);
    return (mez_compilation_params){
        .path = from_text ? NULL : request->input,
        .text = !from_text           ? NULL
                : compile->text.data ? (const char *)compile->text.data
                                     : "",
        .text_size = compile->text.size,
        .name = strcmp(request->input, "-") == 0 ? "<stdin>" : request->input,
        .options = options,
        .clang = request->clang,
        .llvm_spirv = request->llvm_spirv,
        .color = isatty(STDERR_FILENO),
        .stop = stop,
    };
}

static mez_error make_code(struct compile *compile, mez_stop *stop)
{
    if (is_from_text(compile))
        MEZ_TRY(read_input(compile));
    char *options = compiler_options_join(&compile->request.options);
    if (!options)
        return mez_error_no_memory("options");
    mez_compilation_params params = params_of(compile, options, stop);
    params.format =
        compile->request.format == COMPILE_BC ? MEZ_COMPILATION_BITCODE : MEZ_COMPILATION_SPIRV;
    params.validate = !compile->request.no_validation;
    params.listener = (mez_compilation_listener){print_steps, print_log, compile, {0}};
    const mez_error error = mez_compilation_create(&params, &compile->compilation);
    free(options);
    return error;
}

// --- Judging

static bool has_lines(const struct compile_request *request)
{
    for (size_t i = 0; i < request->options.count; i++)
        if (strncmp(request->options.words[i], "-g", 2) == 0)
            return true;
    return false;
}

static mez_error compile_with_lines(
    const struct compile *compile, mez_stop *stop, mez_compilation **lined)
{
    char *options = compiler_options_join(&compile->request.options);
    char *all = options ? mez_print_string("-gline-tables-only %s", options) : NULL;
    const mez_compilation_params params = params_of(compile, all, stop);
    const mez_error error =
        all ? mez_compilation_create(&params, lined) : mez_error_no_memory("options");
    mez_free_memory(all);
    free(options);
    return error;
}

static mez_error judge_code(const mez_compilation *compilation, const struct check_request *asked,
    bool print, code_verdict *verdict)
{
    size_t size;
    const void *code = mez_compilation_get_code(compilation, &size);
    return check_code(code, size, asked, print, verdict);
}

// Where there is something to say, it has lines of the source, which the output has only where the user wants them.
static mez_error say_why(
    const struct compile *compile, const struct check_request *asked, mez_stop *stop)
{
    mez_compilation *lined = NULL;
    mez_error error = mez_ok();
    if (!has_lines(&compile->request))
        error = compile_with_lines(compile, stop, &lined);
    code_verdict verdict;
    if (!mez_stop_is_set(stop))
        error = judge_code(lined ? lined : compile->compilation, asked, true, &verdict);
    mez_compilation_destroy(&lined);
    return error;
}

static mez_error judge(struct compile *compile, mez_stop *stop)
{
    const struct compile_request *request = &compile->request;
    const struct check_request asked = {.file = compile->path,
        .targets = request->targets,
        .target_count = request->target_count,
        .config_file = request->config_file};
    code_verdict verdict;
    if (is_native(compile) || request->target_count == 0)
        return mez_ok();
    MEZ_TRY(judge_code(compile->compilation, &asked, false, &verdict));
    compile->refused = !verdict.can_run;
    return verdict.says_more ? say_why(compile, &asked, stop) : mez_ok();
}

static mez_error summarise(const struct compile *compile)
{
    FILE *stream = strcmp(compile->path, "-") == 0 ? stderr : stdout;
    if (compile->request.quiet || compile->request.format == COMPILE_BC)
        return mez_ok();
    size_t size;
    const void *code = mez_compilation_get_code(compile->compilation, &size);
    return compile_summary_print(stream, compile->path, code, size);
}

// --- All of it

static mez_error write_output(struct compile *compile, mez_stop *stop)
{
    MEZ_TRY(interrupt_check(stop));
    MEZ_TRY(compile_output_check_files(&compile->request, compile->path, compile->compilation));
    if (!is_native(compile))
        return compile_output_write(&compile->request, compile->path, compile->compilation);
    MEZ_TRY(compile_native(&compile->request, compile->path, compile->compilation, stop));
    return compile_output_write_list(&compile->request, compile->path, compile->compilation);
}

static mez_error run_compile(struct compile *compile, mez_stop *stop)
{
    compile->path = compile_output_path(&compile->request);
    if (!compile->path)
        return mez_error_no_memory("the output's name");
    MEZ_TRY(compile_output_check(&compile->request, compile->path));
    MEZ_TRY(make_code(compile, stop));
    MEZ_TRY(judge(compile, stop));
    if (compile->refused)
        return mez_ok();
    MEZ_TRY(write_output(compile, stop));
    return summarise(compile);
}

static void compile_finish(struct compile *compile)
{
    mez_compilation_destroy(&compile->compilation);
    mez_bytes_finish(&compile->text);
    mez_free_memory(compile->path);
}

// The compiler's own messages have been printed; the story would repeat them.
static int report_failure(const struct compile *compile, mez_error error)
{
    char headline[512], cause[512], advice[512];
    const char *signal = interrupt_name();
    if (signal) {
        mez_print(stderr, "mez compile: interrupted by %s%s%s\n", signal,
            strcmp(compile->path, "-") ? "; nothing was written to " : "",
            strcmp(compile->path, "-") ? compile->path : "");
        return EXIT_FAILED;
    }
    if (!mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM) || !compile->printed)
        return report_error(error);
    mez_error_get_headline(error, headline, sizeof headline);
    mez_error_find_field(error, "program", cause, sizeof cause);
    mez_error_find_field(error, "advice", advice, sizeof advice);
    mez_print(stderr, "mez compile: %s%s%-s%s%-s\n", headline, *cause ? ": " : "", cause,
        *advice ? "\n    " : "", advice);
    return EXIT_FAILED;
}

static int run_request(struct compile *compile)
{
    struct interrupt interrupt;
    interrupt_begin(&interrupt);
    const mez_error error = run_compile(compile, interrupt.stop);
    int code = EXIT_GOOD;
    if (mez_failed(error))
        code = report_failure(compile, error);
    if (compile->refused) {
        mez_print(stderr,
            "mez compile: %s was not written, because a target can't run all kernels\n",
            compile->path);
        code = EXIT_FAILED;
    }
    compile_finish(compile);
    interrupt_end(&interrupt);
    return code;
}

static int run(int count, char *const *arguments)
{
    struct compile compile = {0};
    struct problem problem;
    const int code = compile_request_read(&compile.request, count, arguments, &problem)
                         ? run_request(&compile)
                         : report_usage(&compile_command, &problem);
    compile_request_finish(&compile.request);
    return code;
}

const struct command compile_command = {
    "compile", "compiles kernels in OpenCL C to SPIR-V", usage, run};
