// SPDX-License-Identifier: MIT

#include "check/check.h"

#include <string.h>

#include "check/judge.h"
#include "check/matrix.h"
#include "check/place.h"

mez_check_device mez_check_device_of(const char *name, const mez_target *target)
{
    mez_check_device device = {.name = name, .target = target};
    device.matrices = mez_matrix_combinations(target->name, &device.matrix_count);
    return device;
}

mez_answer mez_check_one(const mez_requirement *requirement, mez_aspect_numbering numbering,
    const mez_check_device *device)
{
    mez_judging judging = {.device = device, .numbering = numbering};
    return mez_judge(&judging, requirement);
}

bool mez_check_passes(const mez_requirements *requirements, const mez_check_device *device)
{
    for (uint32_t i = 0; i < requirements->count; i++)
        if (mez_check_one(&requirements->items[i], requirements->numbering, device) == MEZ_LACKS)
            return false;
    return true;
}

mez_error mez_check(
    const mez_requirements *requirements, const mez_check_device *device, mez_verdict *verdict)
{
    *verdict = (mez_verdict){0};
    mez_judging judging = {
        .device = device, .numbering = requirements->numbering, .verdict = verdict};
    for (uint32_t i = 0; i < requirements->count; i++) {
        const mez_answer answer = mez_judge(&judging, &requirements->items[i]);
        if (answer > verdict->answer)
            verdict->answer = answer;
    }
    return judging.no_memory ? mez_error_no_memory("what a device lacks") : mez_ok();
}

// --- The story

static mez_error make_headline(const mez_requirements *requirements, const mez_check_device *device)
{
    if (requirements->kernel)
        return mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
            "kernel \"%s\" of \"%s\" needs what device \"%s\" does not have", requirements->kernel,
            requirements->image, device->name);
    return mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
        "\"%s\" needs what device \"%s\" does not have", requirements->image, device->name);
}

static const mez_reason *next_refusal(const mez_verdict *verdict, uint32_t *i)
{
    while (*i < verdict->count && verdict->reasons[*i].answer != MEZ_LACKS)
        ++*i;
    return *i < verdict->count ? &verdict->reasons[(*i)++] : NULL;
}

// What the device has is told once where several reasons have it in common, with the last of them.
static mez_error add_reasons(mez_error error, const mez_verdict *verdict)
{
    uint32_t i = 0;
    const mez_reason *reason = next_refusal(verdict, &i);
    while (reason) {
        const mez_reason *next = next_refusal(verdict, &i);
        const bool again = next && strcmp(reason->has, next->has) == 0;
        mez_text place = {0};
        mez_check_add_place(&place, reason->requirement);
        error = mez_error_add(error, "needs", "%s\n%s%s%s", reason->text, mez_text_get(&place),
            again ? "" : "\n", again ? "" : reason->has);
        mez_text_finish(&place);
        reason = next;
    }
    return error;
}

static mez_error add_others(
    mez_error error, const mez_requirements *requirements, const mez_check_devices *others)
{
    mez_text names = {0};
    for (uint32_t i = 0; others && i < others->count; i++)
        if (mez_check_passes(requirements, &others->items[i]))
            mez_text_add(&names, "%s\"%s\"", names.length ? ", " : "", others->items[i].name);
    if (names.length)
        error = mez_error_add(error, "would run on", "%s", mez_text_get(&names));
    else if (others && others->count > 1)
        error = mez_error_add(
            error, "would run on", "none of the %u devices here", (unsigned)others->count);
    mez_text_finish(&names);
    return error;
}

mez_error mez_check_refuse(const mez_requirements *requirements, const mez_check_device *device,
    const mez_check_devices *others)
{
    if (mez_check_passes(requirements, device))
        return mez_ok();
    mez_verdict verdict;
    mez_error error = mez_check(requirements, device, &verdict);
    if (!mez_failed(error)) {
        error = add_reasons(make_headline(requirements, device), &verdict);
        error = add_others(error, requirements, others);
    }
    mez_verdict_finish(&verdict);
    return error;
}
