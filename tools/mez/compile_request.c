// SPDX-License-Identifier: MIT

#include "compile_request.h"

#include <stdlib.h>
#include <string.h>

#include <mezzanine/compile.h>

#include "base/file.h"
#include "options.h"

// --- Options of our own

TAKE_MEMBER(take_output, compile_request, output, text)
TAKE_MEMBER(take_name, compile_request, name, text)
TAKE_MEMBER(take_depfile, compile_request, depfile, text)
TAKE_MEMBER(take_clang, compile_request, clang, text)
TAKE_MEMBER(take_llvm_spirv, compile_request, llvm_spirv, text)
TAKE_MEMBER(take_config_file, compile_request, config_file, text)
TAKE_MEMBER(take_quiet, compile_request, quiet, true)
TAKE_MEMBER(take_verbose, compile_request, verbose, true)
TAKE_MEMBER(take_no_validation, compile_request, no_validation, true)

static const struct {
    const char *name;
    enum compile_format format;
} formats[] = {
    {"spv", COMPILE_SPV},
    {"bc", COMPILE_BC},
    {"h", COMPILE_H},
    {"o", COMPILE_O},
    {"table", COMPILE_TABLE},
    {"syclbin", COMPILE_SYCLBIN},
};

static enum compile_format find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i].name) == 0)
            return formats[i].format;
    return COMPILE_BY_NAME;
}

static bool take_format(void *target, const char *text, struct problem *problem)
{
    struct compile_request *request = target;
    request->format = find_format(text);
    return request->format != COMPILE_BY_NAME ||
           problem_set(problem, "\"%.80s\" is none of spv, bc, h, o, table and syclbin", text);
}

static bool take_target(void *target, const char *text, struct problem *problem)
{
    struct compile_request *request = target;
    (void)problem;
    request->targets[request->target_count++] = text; // there is room for every argument
    return true;
}

static bool take_input(void *target, const char *text, struct problem *problem)
{
    struct compile_request *request = target;
    if (request->input)
        return problem_set(problem, "unexpected second file \"%.80s\"", text);
    request->input = text;
    return true;
}

static const struct option options[] = {
    {"-o", "OUTPUT", take_output},
    {"--format", "spv|bc|h|o|table|syclbin", take_format},
    {"--name", "NAME", take_name},
    {"--depfile", "FILE", take_depfile},
    {"--target", "NAME", take_target},
    {"--device-config-file", "FILE", take_config_file},
    {"--clang", "PROGRAM", take_clang},
    {"--llvm-spirv", "PROGRAM", take_llvm_spirv},
    {"--no-validation", NULL, take_no_validation},
    {"--quiet", NULL, take_quiet},
    {"--verbose", NULL, take_verbose},
    {0},
};
static const struct command_line command_line = {options, take_input, NULL};

// --- The compiler's options among them

// Ours are -o and those that begin with two hyphens; only --param is the compiler's.
static bool is_for_compiler(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0' && strcmp(argument, "-o") != 0 &&
           (argument[1] != '-' || strcmp(argument, "--param") == 0);
}

// Is the value of an option of ours the next argument?
static bool takes_next(const char *argument)
{
    for (const struct option *option = options; option->name; option++)
        if (option->value_name && strcmp(option->name, argument) == 0)
            return true;
    return false;
}

static bool no_memory(struct problem *problem)
{
    return problem_set(problem, "there is not enough memory for the options");
}

// What is ours is left in `own`, where there is room for all.
static void sort(
    struct compile_request *request, int count, char *const *arguments, char **own, int *own_count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(arguments[i], "--") == 0) {
            while (i < count)
                own[(*own_count)++] = arguments[i++];
        } else if (is_for_compiler(arguments[i])) {
            const bool pair = mez_compilation_option_takes_next(arguments[i]) && i + 1 < count;
            compiler_options_add(&request->options, arguments[i]);
            if (pair)
                compiler_options_add(&request->options, arguments[++i]);
        } else {
            own[(*own_count)++] = arguments[i];
            if (takes_next(arguments[i]) && i + 1 < count)
                own[(*own_count)++] = arguments[++i];
        }
    }
}

static bool check_options(const struct compile_request *request, struct problem *problem)
{
    char *options = compiler_options_join(&request->options);
    if (!options)
        return no_memory(problem);
    const mez_error error = mez_compilation_check_options(options);
    free(options);
    if (!mez_failed(error))
        return true;
    char headline[400];
    mez_error_get_headline(error, headline, sizeof headline);
    const bool chooses = strstr(headline, "can't be used here");
    return problem_set(problem, "%s%s", headline,
        chooses ? "; `-o OUTPUT.spv|.bc|.h|.o`, `--target` and `--depfile` do" : "");
}

// --- What follows from them

// Behind the last dot of the last part, or NULL.
static const char *ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && dot > (slash ? slash + 1 : path) ? dot + 1 : NULL;
}

static bool choose_format(struct compile_request *request, struct problem *problem)
{
    const char *output = request->output;
    if (request->format == COMPILE_BY_NAME &&
        (!output || strcmp(output, "-") == 0 || strcmp(output, "/dev/null") == 0))
        request->format = COMPILE_SPV;
    if (request->format == COMPILE_BY_NAME && ending(output))
        request->format = find_format(ending(output));
    if (request->format == COMPILE_BY_NAME)
        return problem_set(problem,
            "\"%.80s\" does not end in .spv, .bc, .h, .o, .table or .syclbin: choose the format "
            "with --format",
            output);
    return true;
}

static bool is_native(const struct compile_request *request)
{
    return request->format == COMPILE_TABLE || request->format == COMPILE_SYCLBIN;
}

static bool check(struct compile_request *request, struct problem *problem)
{
    if (!request->input)
        return problem_set(problem, "the input file is missing");
    if (!request->output &&
        (strcmp(request->input, "-") == 0 || mez_file_is_stream(request->input)))
        return problem_set(problem, "the output is missing: add -o OUTPUT.spv, or -o -");
    if (!choose_format(request, problem))
        return false;
    if (is_native(request) && request->target_count == 0)
        return problem_set(
            problem, "a target is missing; add for example --target=intel_gpu_tgllp");
    if (is_native(request) && (!request->output || strcmp(request->output, "-") == 0))
        return problem_set(
            problem, "a table or SYCLBIN cannot go to standard output: use -o OUTPUT.table");
    if (request->config_file && request->target_count == 0)
        return problem_set(
            problem, "--device-config-file describes targets, but --target is missing");
    if (request->format == COMPILE_BC && request->target_count > 0)
        return problem_set(
            problem, "--target cannot be used with bitcode, which is the same for all targets");
    if (request->depfile && request->output && strcmp(request->output, "-") == 0)
        return problem_set(problem, "--depfile cannot be used when the output is standard output");
    return check_options(request, problem);
}

bool compile_request_read(
    struct compile_request *request, int count, char *const *arguments, struct problem *problem)
{
    *request = (struct compile_request){0};
    int own_count = 0;
    char **own = calloc((size_t)count + 1, sizeof *own);
    request->targets = calloc((size_t)count + 1, sizeof *request->targets);
    bool good = compiler_options_init(&request->options, count) && own && request->targets;
    if (!good)
        no_memory(problem);
    else
        sort(request, count, arguments, own, &own_count);
    good = good && command_line_read(&command_line, own_count, own, request, problem) &&
           check(request, problem);
    free(own);
    return good;
}

void compile_request_finish(struct compile_request *request)
{
    compiler_options_finish(&request->options);
    free(request->targets);
}
