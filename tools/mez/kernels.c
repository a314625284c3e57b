// SPDX-License-Identifier: MIT
//
// mez kernels: what is in a device image.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mezzanine/mezzanine.h>

#include "command.h"
#include "compiler_options.h"
#include "open.h"
#include "options.h"
#include "source_input.h"

static const char usage[] =
    "usage: mez kernels FILE [COMPILER'S OPTIONS]\n"
    "\n"
    "Lists the kernels of a device image: how many arguments each takes, and whether its code can\n"
    "reach an assert. An image is only checked, not compiled. A file whose name ends in .cl is\n"
    "OpenCL C and is compiled first; -DNAME=VALUE, -Ifolder and other options of clang can be\n"
    "given. If FILE is -, an image or source is read from standard input.\n"
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

static bool take_device(void *target, const char *text, struct problem *problem)
{
    (void)problem;
    ((struct request *)target)->device = text;
    return true;
}

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

static mez_error list_kernel(mez_image *image, const char *name, int width)
{
    mez_kernel *kernel = NULL;
    const mez_error error = mez_kernel_create_at(NULL, image, name, &kernel);
    if (mez_failed(error))
        return error;
    const uint32_t count = mez_kernel_get_argument_count(kernel);
    printf("%-*s  %u argument%s%s\n", width, name, count, count == 1 ? "" : "s",
        mez_kernel_uses_assert(kernel) ? ", asserts" : "");
    mez_kernel_destroy(&kernel);
    return error;
}

static mez_error list_kernels(mez_image *image)
{
    const int width = widest_name(image);
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < mez_image_get_kernel_count(image) && !mez_failed(error); i++)
        error = list_kernel(image, mez_image_get_kernel_name(image, i), width);
    if (mez_image_get_kernel_count(image) == 0)
        puts("no kernels");
    return error;
}

static mez_error list_file(const struct request *request)
{
    mez_context *context = NULL;
    mez_image *image = NULL;
    mez_error error = open_device("mez kernels", request->device, &context);
    if (!mez_failed(error))
        error = source_input_load(
            context, &(mez_image_params){.path = request->file}, &request->compiler, &image);
    if (!mez_failed(error))
        error = list_kernels(image);
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
