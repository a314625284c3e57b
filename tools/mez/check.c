// SPDX-License-Identifier: MIT
//
// mez check: can devices run what is in a device image, and if not, why?

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "base/vector.h"
#include "check_code.h"
#include "check_compiler.h"
#include "check_devices.h"
#include "check_report.h"
#include "command.h"
#include "source_input.h"
#include "target_list.h"

static const char usage[] =
    "usage: mez check IMAGE [OPTIONS]\n"
    "\n"
    "Shows for each kernel of a device image what it requires, which devices can run it, and\n"
    "which code requires something that a device lacks. IMAGE is SPIR-V, or any container that\n"
    "the library reads; no native code is built. A file whose name ends in .cl is OpenCL C and is\n"
    "compiled to SPIR-V first; options of clang can be given, too. The exit code is 1 if a kernel\n"
    "can't run on one of the devices.\n"
    "\n"
    "  --target NAME           a target, such as intel_gpu_tgllp; can be given several times\n"
    "  --device N|gpu|cpu|NAME a device of this machine, by its number or as in MEZ_DEVICE\n"
    "                          (default, without --target: all devices that programs get)\n"
    "  --device-config-file F  description of targets (default: MEZ_DEVICE_CONFIG, else built in)\n"
    "  --fixed-targets T,...   warn about code that one of these targets does not support\n"
    "  --mode values|types     what counts as use of double and half: only what Intel's compiler\n"
    "                          refuses (values, the default), or also the types of variables,\n"
    "                          parameters and addresses (types)\n"
    "  --compiler 1.0|2.40     version of Intel's compiler to judge for, where versions differ\n"
    "                          (default: that of the device, else that of the installed ocloc)\n"
    "  --json                  print JSON\n";

// Everything that one run holds.
struct check {
    struct check_request request;
    const mez_targets *table;
    struct target_list fixed_targets;
    struct check_devices devices;
    mez_code *code;
    char **warnings;
    uint32_t warning_count;
    size_t warning_capacity;
    bool no_memory; // a warning was lost
};

static mez_error find_fixed_targets(struct check *check)
{
    struct target_list *list = &check->fixed_targets;
    if (!check->request.fixed_targets)
        return mez_ok();
    return target_list_read(check->request.fixed_targets, check->table, list);
}

static mez_error find_targets(struct check *check)
{
    // What live devices are called is looked up in the same table.
    if (check->request.config_file)
        setenv("MEZ_DEVICE_CONFIG", check->request.config_file, 1);
    MEZ_TRY(mez_targets_get_default(&check->table));
    MEZ_TRY(find_fixed_targets(check));
    return check_devices_open(&check->devices, &check->request, check->table);
}

// `bytes` NULL: from the file.
static mez_error read_code(struct check *check, const void *bytes, size_t size)
{
    const mez_code_params params = {
        .path = bytes ? NULL : check->request.file,
        .bytes = bytes,
        .size = size,
        .name = check->request.file,
        .by_types = check->request.types,
        .unreadable_allowed = true,
    };
    return mez_code_create(&params, &check->code);
}

static mez_error read_image(struct check *check)
{
    const struct check_request *request = &check->request;
    void *bytes;
    size_t size;
    if (!source_input_is(request->file))
        return read_code(check, NULL, 0);
    MEZ_TRY(source_input_read(request->file, &request->compiler, &bytes, &size));
    const mez_error error = read_code(check, bytes, size);
    free(bytes);
    return error;
}

// --- Warnings

static void keep_warning(void *context, const char *text)
{
    struct check *check = context;
    char *copy = mez_copy_string(text);
    if (copy && mez_array_reserve(check->warnings, check->warning_count, check->warning_capacity)) {
        check->warnings[check->warning_count++] = copy;
        return;
    }
    mez_free_memory(copy);
    check->no_memory = true;
}

static mez_error collect_warnings(struct check *check)
{
    const mez_code_warn_params params = {
        .fixed_targets = check->fixed_targets.items,
        .fixed_target_count = check->fixed_targets.count,
        .warn = keep_warning,
        .user = check,
    };
    MEZ_TRY(mez_code_warn(check->code, &params));
    return check->no_memory ? mez_error_no_memory("warnings") : mez_ok();
}

// --- Verdicts

// JSON shows all requirements with their places, which are the same for each device.
static mez_error judge(struct check *check)
{
    for (uint32_t i = 0; i < check->devices.count; i++) {
        struct check_device *device = &check->devices.items[i];
        const mez_judge_params params = {.target = device->target,
            .compiler = device->compiler,
            .all = check->request.json && i == 0};
        MEZ_TRY(mez_code_judge(check->code, &params, &device->findings));
    }
    return mez_ok();
}

static struct check_report make_report(const struct check *check)
{
    return (struct check_report){
        .image = check->request.file,
        .code = check->code,
        .devices = check->devices.items,
        .device_count = check->devices.count,
        .warnings = check->warnings,
        .warning_count = check->warning_count,
    };
}

static bool all_can_run(const struct check *check)
{
    const struct check_report report = make_report(check);
    for (uint32_t u = 0; u < mez_code_get_unit_count(check->code); u++)
        for (uint32_t d = 0; d < report.device_count; d++)
            if (report_answer(&report, u, d) == MEZ_LACKS && !report_is_spare(&report, u, d))
                return false;
    for (uint32_t i = 0; i < mez_code_get_binary_count(check->code); i++)
        if (mez_failed(mez_code_get_binary(check->code, i)->error))
            return false;
    return true;
}

// --- Reporting

static void report_unreadable(const mez_code *code)
{
    for (uint32_t i = 0; i < mez_code_get_binary_count(code); i++)
        mez_error_print(stderr, mez_code_get_binary(code, i)->error);
}

static void report_all(const struct check *check)
{
    const struct check_report report = make_report(check);
    if (check->request.json) {
        report_print_json(stdout, &report);
        return;
    }
    for (uint32_t i = 0; i < check->warning_count; i++)
        mez_print(stderr, "%-s\n", check->warnings[i]);
    report_unreadable(check->code);
    report_print_table(stdout, &report);
    report_print_reasons(stdout, &report);
    report_print_summary(stdout, &report);
}

static mez_error run_check(struct check *check)
{
    MEZ_TRY(read_image(check)); // a wrong file is reported before any device is opened
    MEZ_TRY(find_targets(check));
    MEZ_TRY(check_compiler_choose(&check->devices, &check->request, check->code));
    MEZ_TRY(judge(check));
    MEZ_TRY(collect_warnings(check));
    report_all(check);
    return mez_ok();
}

static void check_finish(struct check *check)
{
    for (uint32_t i = 0; i < check->warning_count; i++)
        mez_free_memory(check->warnings[i]);
    mez_free_memory(check->warnings);
    mez_code_destroy(&check->code);
    check_devices_finish(&check->devices);
    target_list_finish(&check->fixed_targets);
    check_request_finish(&check->request);
}

// --- Code of other commands

static bool all_surely_run(const struct check *check)
{
    for (uint32_t i = 0; i < check->devices.count; i++)
        if (mez_findings_get_answer(check->devices.items[i].findings) != MEZ_HAS)
            return false;
    return true;
}

static void report_problems(const struct check *check)
{
    const struct check_report report = make_report(check);
    for (uint32_t i = 0; i < check->warning_count; i++)
        mez_print(stderr, "%-s\n", check->warnings[i]);
    if (all_surely_run(check))
        return;
    report_print_table(stderr, &report);
    report_print_reasons(stderr, &report);
}

static mez_error judge_code(struct check *check, const void *code, size_t size)
{
    MEZ_TRY(read_code(check, code, size));
    MEZ_TRY(find_targets(check));
    MEZ_TRY(check_compiler_choose(&check->devices, &check->request, check->code));
    MEZ_TRY(judge(check));
    return collect_warnings(check);
}

mez_error check_code(const void *code, size_t size, const struct check_request *request, bool print,
    code_verdict *verdict)
{
    struct check check = {.request = *request};
    const mez_error error = judge_code(&check, code, size);
    if (!mez_failed(error) && print)
        report_problems(&check);
    *verdict = (code_verdict){0};
    if (!mez_failed(error))
        *verdict = (code_verdict){.can_run = all_can_run(&check),
            .says_more = check.warning_count > 0 || !all_surely_run(&check)};
    check.request = (struct check_request){0}; // the caller's
    check_finish(&check);
    return error;
}

// --- The command

static int run(int count, char *const *arguments)
{
    struct check check = {0};
    struct problem problem;
    int code = EXIT_NO_COMMAND;
    if (check_request_read(&check.request, count, arguments, &problem)) {
        const mez_error error = run_check(&check);
        code = mez_failed(error)     ? report_error(error)
               : all_can_run(&check) ? EXIT_GOOD
                                     : EXIT_FAILED;
    } else {
        report_usage(&check_command, &problem);
    }
    check_finish(&check);
    return code;
}

const struct command check_command = {
    "check", "shows which devices can run the kernels of an image", usage, run};
