// SPDX-License-Identifier: MIT
//
// mez compile: OpenCL C to SPIR-V.

#include "compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "check_code.h"
#include "command.h"
#include "compile_native.h"
#include "compile_output.h"
#include "compile_summary.h"
#include "compile/stream.h"
#include "interrupt.h"

static const char usage[] =
    "usage: mez compile INPUT.cl [-o OUTPUT] [OPTIONS] [COMPILER'S OPTIONS]\n"
    "\n"
    "Compiles kernels in OpenCL C, by the clang and llvm-spirv of this machine, so that whatever\n"
    "clang accepts becomes SPIR-V, and says what the kernels require of a device. The compiler's\n"
    "messages are passed on as they are. An output appears when all of it is written. INPUT - is\n"
    "standard input.\n"
    "\n"
    "  -o OUTPUT.spv           SPIR-V (default: beside the input); - is standard output\n"
    "  -o OUTPUT.bc            LLVM's bitcode, for programs of several sources\n"
    "  -o OUTPUT.h             a header of C: static const uint32_t OUTPUT_spv[], OUTPUT_spv_size\n"
    "  -o OUTPUT.o             an object to link with: extern const uint32_t OUTPUT_spv[];\n"
    "                          extern const size_t OUTPUT_spv_size;\n"
    "  -o OUTPUT.table|OUTPUT.syclbin\n"
    "                          SPIR-V, and native code for targets, as mez build makes it\n"
    "  --format=spv|bc|h|o|table|syclbin\n"
    "                          what to write (default: as the output's name ends)\n"
    "  --name=NAME             what the bytes in a header or an object are called\n"
    "  --depfile=FILE          writes which files were read, for make and ninja\n"
    "  --target=NAME           fails where a kernel can't run on this target, such as\n"
    "                          intel_gpu_tgllp, and says why; may be given several times\n"
    "  --device-config-file=F  what targets have (default: MEZ_DEVICE_CONFIG, or our own)\n"
    "  --clang=PROGRAM, --llvm-spirv=PROGRAM\n"
    "                          other ones than those of MEZ_CLANG and MEZ_LLVM_SPIRV, of the "
    "build\n"
    "                          of mez, or of PATH, where the newest version is taken\n"
    "  --no-validation         does not ask spirv-val, which is asked where it is installed\n"
    "  --quiet                 prints nothing but messages of the compiler and errors\n"
    "  --verbose               says which commands are run\n"
    "\n"
    "Any other option goes to clang: -DNAME=VALUE, -Ifolder, -O0 to -O3 (default: -O2), -g,\n"
    "-cl-std=CL3.0 (default: CL2.0), -cl-fast-relaxed-math, -Wall, -Werror, ...\n";

// Everything that one run holds.
struct compile {
    struct compile_request request;
    mez_compiler compiler;
    mez_compiled compiled;
    char *path;
    mez_bytes text; // of standard input
    bool refused;   // a target can't run a kernel, which was said
    bool failed;    // the compiler has said why
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

static void tell_steps(const struct compile *compile)
{
    if (compile->request.verbose && compile->compiled.steps)
        fputs(compile->compiled.steps, stderr);
    if (compile->compiled.log)
        fputs(compile->compiled.log, stderr);
}

static bool is_from_text(const struct compile *compile)
{
    return strcmp(compile->request.input, "-") == 0 ||
           mez_compile_is_stream(compile->request.input);
}

static mez_compile_params params_of(
    const struct compile *compile, const mez_words *options, mez_stop *stop)
{
    const struct compile_request *request = &compile->request;
    const bool from_text = is_from_text(compile);
    return (mez_compile_params){
        .compiler = &compile->compiler,
        .path = from_text ? NULL : request->input,
        .text = compile->text.data ? (const char *)compile->text.data : "",
        .text_size = compile->text.size,
        .name = strcmp(request->input, "-") == 0 ? "<stdin>" : request->input,
        .options = options,
        .output = request->format == COMPILE_BC ? MEZ_COMPILE_BITCODE : MEZ_COMPILE_SPIRV,
        .validate = !request->no_validation,
        .color = isatty(STDERR_FILENO),
        .stop = stop,
    };
}

static mez_error make_code(struct compile *compile, mez_stop *stop)
{
    if (is_from_text(compile))
        MEZ_TRY(read_input(compile));
    const mez_compile_params params = params_of(compile, &compile->request.options, stop);
    const mez_error error = mez_compile(&params, &compile->compiled);
    tell_steps(compile);
    compile->failed = mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM) && compile->compiled.log &&
                      *compile->compiled.log;
    return error;
}

// --- Judging

static bool has_lines(const struct compile_request *request)
{
    for (size_t i = 0; i < request->options.count; i++)
        if (strncmp(request->options.items[i], "-g", 2) == 0)
            return true;
    return false;
}

static mez_error compile_with_lines(
    const struct compile *compile, mez_stop *stop, mez_compiled *lined)
{
    mez_words options = {0};
    mez_error error = mez_words_add(&options, "-gline-tables-only");
    for (size_t i = 0; i < compile->request.options.count && !mez_failed(error); i++)
        error = mez_words_add(&options, compile->request.options.items[i]);
    mez_compile_params params = params_of(compile, &options, stop);
    params.output = MEZ_COMPILE_SPIRV;
    params.validate = false;
    if (!mez_failed(error))
        error = mez_compile(&params, lined);
    mez_words_finish(&options);
    return error;
}

// Where there is something to say, it has lines of the source, which the output has only where the user wants them.
static mez_error say_why(
    const struct compile *compile, const struct check_request *asked, mez_stop *stop)
{
    mez_compiled lined = {0};
    mez_error error = mez_ok();
    if (!has_lines(&compile->request))
        error = compile_with_lines(compile, stop, &lined);
    const mez_compiled *judged = lined.code ? &lined : &compile->compiled;
    code_verdict verdict;
    if (!mez_is_stopped(stop))
        error = check_code(judged->code, judged->size, asked, true, &verdict);
    mez_compiled_finish(&lined);
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
    MEZ_TRY(check_code(compile->compiled.code, compile->compiled.size, &asked, false, &verdict));
    compile->refused = !verdict.can_run;
    return verdict.says_more ? say_why(compile, &asked, stop) : mez_ok();
}

static mez_error summarise(const struct compile *compile)
{
    FILE *stream = strcmp(compile->path, "-") == 0 ? stderr : stdout;
    if (compile->request.quiet || compile->request.format == COMPILE_BC)
        return mez_ok();
    return compile_summary_print(
        stream, compile->path, compile->compiled.code, compile->compiled.size);
}

// --- All of it

static mez_error write_output(struct compile *compile, mez_stop *stop)
{
    if (mez_is_stopped(stop))
        return mez_stopped();
    MEZ_TRY(compile_output_check_files(&compile->request, compile->path, &compile->compiled));
    if (!is_native(compile))
        return compile_output_write(&compile->request, compile->path, &compile->compiled);
    MEZ_TRY(compile_native(&compile->request, compile->path, &compile->compiled, stop));
    return compile_output_write_list(&compile->request, compile->path, &compile->compiled);
}

static mez_error run_compile(struct compile *compile, mez_stop *stop)
{
    const mez_compiler_choice choice = {
        .clang = compile->request.clang, .llvm_spirv = compile->request.llvm_spirv};
    compile->path = compile_output_path(&compile->request);
    if (!compile->path)
        return mez_error_no_memory("the output's name");
    MEZ_TRY(compile_output_check(&compile->request, compile->path));
    MEZ_TRY(mez_compiler_find(&choice, &compile->compiler));
    MEZ_TRY(make_code(compile, stop));
    MEZ_TRY(judge(compile, stop));
    if (compile->refused)
        return mez_ok();
    MEZ_TRY(write_output(compile, stop));
    return summarise(compile);
}

static void compile_finish(struct compile *compile)
{
    mez_compiled_finish(&compile->compiled);
    mez_compiler_finish(&compile->compiler);
    mez_bytes_finish(&compile->text);
    mez_free_memory(compile->path);
}

// The compiler's own messages have been printed; the story would repeat them.
static int tell_error(const struct compile *compile, mez_error error)
{
    char headline[512], cause[512], advice[512];
    const char *signal = interrupt_name();
    if (signal) {
        fprintf(stderr, "mez compile: interrupted by %s%s%s\n", signal,
            strcmp(compile->path, "-") ? "; nothing is written to " : "",
            strcmp(compile->path, "-") ? compile->path : "");
        return EXIT_FAILED;
    }
    if (!compile->failed)
        return report_error(error);
    mez_error_get_headline(error, headline, sizeof headline);
    mez_error_find_field(error, "program", cause, sizeof cause);
    mez_error_find_field(error, "advice", advice, sizeof advice);
    fprintf(stderr, "mez compile: %s%s%s%s%s\n", headline, *cause ? ": " : "", cause,
        *advice ? "\n    " : "", advice);
    return EXIT_FAILED;
}

static int run_request(struct compile *compile)
{
    struct interrupt interrupt;
    interrupt_begin(&interrupt);
    const mez_error error = run_compile(compile, &interrupt.stop);
    int code = EXIT_GOOD;
    if (mez_failed(error))
        code = tell_error(compile, error);
    if (compile->refused) {
        fprintf(stderr, "mez compile: %s is not written: a target can't run all kernels\n",
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
