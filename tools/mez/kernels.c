// SPDX-License-Identifier: MIT
//
// mez kernels: what is in a device image.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mezzanine/code.h>
#include <mezzanine/mezzanine.h>

#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "compiler_options.h"
#include "open.h"
#include "options.h"
#include "source_input.h"

static const char usage[] =
    "usage: mez kernels FILE [COMPILER'S OPTIONS]\n"
    "\n"
    "Lists the kernels of a device image: how many arguments each takes, which nobody reads of\n"
    "native code, and whether its code can reach an assert. An image is only checked, not\n"
    "compiled. A file whose name ends in .cl is OpenCL C and is compiled first; -DNAME=VALUE,\n"
    "-Ifolder and other options of clang can be given. If FILE is -, an image or source is read\n"
    "from standard input.\n"
    "\n"
    "  --device gpu|cpu|NAME  which device to open (default: the best)\n";

struct request {
    const char *file;
    const char *device;
    struct compiler_options compiler;
};

static bool take_file(void *target, const char *text, struct problem *problem)
{
    struct request *request = target;
    if (request->file)
        return problem_set(problem, "unexpected second file \"%.80s\"", text);
    request->file = text;
    return true;
}

TAKE_MEMBER(take_device, request, device, text)

static bool take_compiler_option(void *target, const char *text, struct problem *problem)
{
    (void)problem;
    compiler_options_add(&((struct request *)target)->compiler, text);
    return true;
}

static const struct option options[] = {{"--device", "gpu|cpu|NAME", take_device}, {0}};
static const struct command_line command_line = {options, take_file, take_compiler_option};

static int widest_name(const mez_image *image)
{
    size_t widest = 0;
    for (uint32_t i = 0; i < mez_image_get_kernel_count(image); i++) {
        const size_t length = strlen(mez_image_get_kernel_name(image, i));
        widest = length > widest ? length : widest;
    }
    return (int)widest;
}

// Is there no other form of it? The runtime knows its arguments when it has built it.
static bool is_native(const mez_code *code, const char *name)
{
    bool found = false;
    for (uint32_t i = 0; i < mez_code_get_kernel_count(code); i++) {
        const mez_code_kernel *kernel = mez_code_get_kernel(code, i);
        if (strcmp(kernel->name, name) != 0)
            continue;
        if (kernel->arguments_known)
            return false;
        found = true;
    }
    return found;
}

static mez_error list_kernel(mez_image *image, const mez_code *code, const char *name, int width)
{
    mez_kernel *kernel = NULL;
    const mez_error error = mez_kernel_create_at(NULL, image, name, &kernel);
    if (mez_failed(error))
        return error;
    const uint32_t count = mez_kernel_get_argument_count(kernel);
    if (is_native(code, name))
        mez_print(stdout, "%-*s  native code", width, name);
    else
        mez_print(stdout, "%-*s  %u argument%s", width, name, count, count == 1 ? "" : "s");
    puts(mez_kernel_uses_assert(kernel) ? ", asserts" : "");
    mez_kernel_destroy(&kernel);
    return error;
}

static mez_error list_kernels(mez_image *image, const mez_code *code)
{
    const int width = widest_name(image);
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < mez_image_get_kernel_count(image) && !mez_failed(error); i++)
        error = list_kernel(image, code, mez_image_get_kernel_name(image, i), width);
    if (mez_image_get_kernel_count(image) == 0)
        puts("no kernels");
    return error;
}

// NULL for a source, and for a stream, which has been read.
static mez_code *load_code(const char *path)
{
    mez_code *code = NULL;
    if (!source_input_is(path) && !mez_file_is_stream(path))
        mez_error_ignore(mez_code_load(path, &code));
    return code;
}

static mez_error list_file(const struct request *request)
{
    mez_context *context = NULL;
    mez_image *image = NULL;
    mez_code *code = NULL;
    mez_error error = open_device("mez kernels", request->device, false, &context);
    if (!mez_failed(error))
        error = source_input_load(
            context, &(mez_image_params){.path = request->file}, &request->compiler, &image);
    if (!mez_failed(error)) {
        code = load_code(request->file);
        error = list_kernels(image, code);
    }
    mez_code_destroy(&code);
    mez_image_destroy(&image);
    mez_context_destroy(&context);
    return error;
}

static bool read_request(
    struct request *request, int count, char *const *arguments, struct problem *problem)
{
    if (!compiler_options_init(&request->compiler, count))
        return problem_set(problem, "there is not enough memory");
    if (!command_line_read(&command_line, count, arguments, request, problem))
        return false;
    if (!request->file)
        return problem_set(problem, "the input file is missing");
    return compiler_options_fit(&request->compiler, request->file, problem);
}

static int run(int count, char *const *arguments)
{
    struct request request = {0};
    struct problem problem;
    int code;
    if (read_request(&request, count, arguments, &problem)) {
        const mez_error error = list_file(&request);
        code = mez_failed(error) ? report_error(error) : EXIT_GOOD;
    } else {
        code = report_usage(&kernels_command, &problem);
    }
    compiler_options_finish(&request.compiler);
    return code;
}

const struct command kernels_command = {"kernels", "lists the kernels of an image", usage, run};
