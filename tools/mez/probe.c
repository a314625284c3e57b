// SPDX-License-Identifier: MIT

#include "probe.h"

#include <stdio.h>
#include <stdlib.h>

#include <mezzanine/context.h>

#include "apart.h"
#include "device_lines.h"
#include "driver_lines.h"

// After an error the value is unknown, too.
static void copy_memory(const mez_device *device, struct probed_device *copy)
{
    mez_error_ignore(mez_device_get_memory_state(device, &copy->memory));
    snprintf(copy->why_unknown, sizeof copy->why_unknown, "%s",
        copy->memory.why_unknown ? copy->memory.why_unknown : "");
    copy->memory.why_unknown = NULL;
}

static void copy_lines(mez_device *device, struct probed_device *copy)
{
    const mez_device_details *details;
    mez_error_ignore(mez_device_get_details_at(NULL, device, &details));
    device_lines(details, copy->lines, sizeof copy->lines);
}

// It may take the driver's compiler: a tenth of a second.
static void copy_asserts(mez_device *device, struct probed_device *copy)
{
    copy->asserts_are_known = !mez_failed(mez_device_get_native_asserts(device, &copy->asserts));
}

static void copy_device(mez_device *device, uint32_t depth, struct probed_device *copy)
{
    copy->depth = depth;
    copy->sub_devices = mez_device_get_sub_device_count(device);
    copy->info = *mez_device_get_info(device);
    snprintf(copy->name, sizeof copy->name, "%s", copy->info.name);
    snprintf(
        copy->architecture, sizeof copy->architecture, "%s", mez_device_get_architecture(device));
    copy->info.name = NULL; // an address of the other process
    copy_memory(device, copy);
    copy_lines(device, copy);
    if (depth == 0)
        copy_asserts(device, copy);
}

// The device and its parts, as many as there is room for.
static void copy_tree(mez_device *device, uint32_t depth, struct probe_result *result)
{
    if (result->count == MOST_PROBED_DEVICES)
        return;
    copy_device(device, depth, &result->devices[result->count++]);
    for (uint32_t i = 0; i < mez_device_get_sub_device_count(device); i++)
        copy_tree(mez_device_get_sub_device(device, i), depth + 1, result);
}

static void describe_driver(const mez_context *context, struct probe_result *result)
{
    mez_driver_info info;
    mez_context_get_driver_info(context, &info);
    driver_summary(&info, result->driver, sizeof result->driver);
    driver_details(&info, result->details, sizeof result->details);
}

// `question` is the kind; NULL: the default.
static void look(const void *question, void *answer)
{
    const char *kind = question;
    struct probe_result *result = answer;
    mez_context *context = NULL;
    const mez_context_params params = {.debug_name = "mez info", .device = kind};
    if (kind)
        unsetenv("MEZ_DEVICE");
    const mez_error error = mez_context_create_at(NULL, &params, &context);
    if (mez_failed(error))
        mez_error_get_story(error, result->story, sizeof result->story);
    for (uint32_t i = 0; i < mez_context_get_device_count(context); i++)
        copy_tree(mez_context_get_device(context, i), 0, result);
    describe_driver(context, result);
    mez_context_destroy(&context);
}

static void probe(const char *kind, struct probe_result *result)
{
    char end[256];
    const struct apart apart = {
        .work = look, .question = kind, .answer = result, .size = sizeof *result};
    if (!apart_ask(&apart, end, sizeof end))
        snprintf(result->story, sizeof result->story, "%s", end);
}

void probe_default(struct probe_result *result)
{
    probe(NULL, result);
}

void probe_kind(const char *kind, struct probe_result *result)
{
    probe(kind, result);
}
