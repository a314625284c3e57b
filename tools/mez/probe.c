// SPDX-License-Identifier: MIT

#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mezzanine/context.h>

#include "base/file.h"
#include "driver_lines.h"

// An error is one more reason not to know.
static void copy_memory(const mez_device *device, struct probed_device *copy)
{
    mez_device_get_memory_state(device, &copy->memory);
    snprintf(copy->why_unknown, sizeof copy->why_unknown, "%s",
        copy->memory.why_unknown ? copy->memory.why_unknown : "");
    copy->memory.why_unknown = NULL;
}

// It may take the driver's compiler: a tenth of a second.
static void copy_asserts(mez_device *device, struct probed_device *copy)
{
    copy->asserts_are_known = !mez_failed(mez_device_get_native_asserts(device, &copy->asserts));
}

static void copy_device(mez_device *device, uint32_t depth, struct probed_device *copy)
{
    copy->depth = depth;
    copy->sub_devices = mez_device_sub_device_count(device);
    copy->info = *mez_device_get_info(device);
    snprintf(copy->name, sizeof copy->name, "%s", copy->info.name);
    snprintf(
        copy->architecture, sizeof copy->architecture, "%s", mez_device_get_architecture(device));
    copy->info.name = NULL; // an address of the other process
    copy_memory(device, copy);
    if (depth == 0)
        copy_asserts(device, copy);
}

// The device and its parts, as many as there is room for.
static void copy_tree(mez_device *device, uint32_t depth, struct probe_result *result)
{
    if (result->count == MOST_PROBED_DEVICES)
        return;
    copy_device(device, depth, &result->devices[result->count++]);
    for (uint32_t i = 0; i < mez_device_sub_device_count(device); i++)
        copy_tree(mez_device_sub_device(device, i), depth + 1, result);
}

static void describe_driver(const mez_context *context, struct probe_result *result)
{
    mez_driver_info info;
    mez_context_get_driver_info(context, &info);
    driver_summary(&info, result->driver, sizeof result->driver);
    driver_details(&info, result->details, sizeof result->details);
}

static void look(const char *kind, struct probe_result *result)
{
    mez_context *context = NULL;
    const mez_context_params params = {.debug_name = "mez info", .device = kind};
    if (kind)
        unsetenv("MEZ_DEVICE");
    const mez_error error = mez_context_create_at(NULL, &params, &context);
    if (mez_failed(error))
        mez_error_story(error, result->story, sizeof result->story);
    for (uint32_t i = 0; i < mez_context_device_count(context); i++)
        copy_tree(mez_context_device(context, i), 0, result);
    describe_driver(context, result);
    mez_context_destroy(&context);
}

static bool read_all(int file, void *bytes, size_t size)
{
    for (char *next = bytes; size > 0;) {
        const ssize_t got = read(file, next, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        size -= (size_t)got;
    }
    return true;
}

static void tell_end(struct probe_result *result, int status)
{
    *result = (struct probe_result){0};
    if (WIFSIGNALED(status))
        snprintf(result->story, sizeof result->story,
            "the driver crashed while its devices were read: %s", strsignal(WTERMSIG(status)));
    else
        snprintf(result->story, sizeof result->story,
            "the driver ended the process with exit code %d", WEXITSTATUS(status));
}

static void fail(struct probe_result *result, const char *what)
{
    snprintf(result->story, sizeof result->story, "%s: %s", what, strerror(errno));
}

// Never returns. _exit: nothing of the parent's is to be cleaned up twice.
static void run_child(const char *kind, int file)
{
    static struct probe_result result; // too large for a comfortable stack
    look(kind, &result);
    _exit(mez_file_write_all(file, &result, sizeof result) ? 0 : 1);
}

static void wait_for_child(pid_t child, int file, struct probe_result *result)
{
    int status = 0;
    const bool told = read_all(file, result, sizeof *result);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!told)
        tell_end(result, status);
}

static void probe(const char *kind, struct probe_result *result)
{
    int ends[2];
    *result = (struct probe_result){0};
    fflush(stdout); // else what is buffered could be printed by both
    if (pipe(ends) != 0) {
        fail(result, "pipe");
        return;
    }
    const pid_t child = fork();
    if (child == 0)
        run_child(kind, ends[1]);
    close(ends[1]);
    if (child > 0)
        wait_for_child(child, ends[0], result);
    else
        fail(result, "fork");
    close(ends[0]);
}

void probe_default(struct probe_result *result)
{
    probe(NULL, result);
}

void probe_kind(const char *kind, struct probe_result *result)
{
    probe(kind, result);
}
