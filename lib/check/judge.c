// SPDX-License-Identifier: MIT
//
// What each kind of requirement asks of a device.

#include "check/judge.h"

#include <inttypes.h>
#include <stdio.h>

#define NUMBER_ROOM 24

static const char *number(char room[NUMBER_ROOM], uint64_t value)
{
    snprintf(room, NUMBER_ROOM, "%" PRIu64, value);
    return room;
}

// --- Fixed targets

// As compilers name an architecture of which nothing else is known: by its ip version.
static void add_ip_version(mez_text *text, uint32_t ip)
{
    mez_text_add(text, "intel_gpu_%u_%u_%u", ip >> 22, ip >> 14 & 0xff, ip & 0x3f);
}

static void add_fixed_target(mez_text *text, mez_aspect_numbering numbering, uint32_t value)
{
    const mez_targets *targets = NULL;
    const mez_target *target = NULL;
    if (value < MEZ_FIXED_TARGET_IP) {
        const mez_aspect aspect = mez_aspect_from_number(numbering, value);
        if (aspect == MEZ_ASPECT_NONE)
            mez_text_add(text, "%" PRIu32, value);
        else
            mez_text_add(text, "%s", mez_aspect_name(aspect));
        return;
    }
    // A table that can't be read costs only the name.
    if (!mez_failed(mez_targets_default(&targets)))
        target = mez_targets_find_ip(targets, value);
    if (target)
        mez_text_add(text, "%s", target->name);
    else
        add_ip_version(text, value);
}

void mez_check_add_fixed_targets(
    mez_text *text, const mez_requirement *requirement, mez_aspect_numbering numbering)
{
    for (uint32_t i = 0; i < requirement->fixed_target.count; i++) {
        mez_text_add(text, "%s", i ? "," : "");
        add_fixed_target(text, numbering, requirement->fixed_target.values[i]);
    }
}

// A target that stands for devices of all kinds can be any of them.
static bool stands_for_many(const mez_target *target)
{
    return target->ip_version_count == 0 && target->may_support_other_aspects;
}

static mez_answer judge_fixed_target(mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    for (uint32_t i = 0; i < requirement->fixed_target.count; i++)
        if (mez_target_is(target, judging->numbering, requirement->fixed_target.values[i]))
            return MEZ_HAS;
    const bool doubt = requirement->fixed_target.count > 0 && stands_for_many(target);
    const mez_answer answer = doubt ? MEZ_MAY_HAVE : MEZ_LACKS;
    if (!judging->verdict)
        return answer;
    mez_text names = {0};
    mez_check_add_fixed_targets(&names, requirement, judging->numbering);
    const char *const values[] = {mez_text_get(&names)};
    mez_judging_note(judging, requirement, answer,
        doubt ? MEZ_CHECK_TEXT_FIXED_TARGET_DOUBT : MEZ_CHECK_TEXT_FIXED_TARGET, values,
        requirement->fixed_target.count ? "the device is %s"
                                        : "the device is %s; no device fits, for code of different "
                                          "targets was put together",
        target->name);
    mez_text_finish(&names);
    return answer;
}

// --- Aspects

static void add_aspects(mez_text *text, const mez_target *target)
{
    const char *before = "the device has ";
    mez_aspects_each(&target->aspects, aspect)
    {
        mez_text_add(text, "%s%s", before, mez_aspect_name(aspect));
        before = ", ";
    }
    for (uint32_t i = 0; i < target->unnamed_aspect_count; i++) {
        mez_text_add(text, "%s%" PRIu32, before, target->unnamed_aspects[i]);
        before = ", ";
    }
    if (text->length == 0)
        mez_text_add(text, target->aspects_known ? "the device has no aspect"
                                                 : "which aspects the device has is not known");
}

static bool has_aspect(const mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    if (requirement->aspect.name == MEZ_ASPECT_NONE)
        return mez_target_has_number(target, judging->numbering, requirement->aspect.number);
    return mez_target_has(target, requirement->aspect.name);
}

static mez_check_text aspect_text(const mez_requirement *requirement, mez_answer answer)
{
    if (requirement->aspect.name == MEZ_ASPECT_NONE)
        return MEZ_CHECK_TEXT_UNKNOWN_ASPECT;
    return answer == MEZ_LACKS ? MEZ_CHECK_TEXT_ASPECT : MEZ_CHECK_TEXT_ASPECT_DOUBT;
}

static mez_answer judge_aspect(mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    if (has_aspect(judging, requirement))
        return MEZ_HAS;
    const bool complete = target->aspects_known && !target->may_support_other_aspects;
    const mez_answer answer = complete ? MEZ_LACKS : MEZ_MAY_HAVE;
    if (!judging->verdict)
        return answer;
    char room[NUMBER_ROOM];
    const char *const values[] = {requirement->aspect.name == MEZ_ASPECT_NONE
                                      ? number(room, requirement->aspect.number)
                                      : mez_aspect_name(requirement->aspect.name)};
    mez_text has = {0};
    add_aspects(&has, target);
    mez_judging_note(judging, requirement, answer, aspect_text(requirement, answer), values, "%s",
        mez_text_get(&has));
    mez_text_finish(&has);
    return answer;
}

// --- Sizes

static void add_sub_group_sizes(mez_text *text, const mez_target *target)
{
    mez_text_add(text, target->sub_group_size_count ? "the device has sub-groups of "
                                                    : "which sub-groups it has is not known");
    for (uint32_t i = 0; i < target->sub_group_size_count; i++)
        mez_text_add(text, "%s%" PRIu32, i ? ", " : "", target->sub_group_sizes[i]);
}

static mez_answer judge_sub_group_size(mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    if (mez_target_has_sub_group_size(target, requirement->sub_group_size))
        return MEZ_HAS;
    const bool known = target->sub_group_size_count > 0;
    const mez_answer answer = known ? MEZ_LACKS : MEZ_MAY_HAVE;
    if (!judging->verdict)
        return answer;
    char room[NUMBER_ROOM];
    const char *const values[] = {number(room, requirement->sub_group_size)};
    mez_text has = {0};
    add_sub_group_sizes(&has, target);
    mez_judging_note(judging, requirement, answer,
        known ? MEZ_CHECK_TEXT_SUB_GROUP_SIZE : MEZ_CHECK_TEXT_SUB_GROUP_SIZE_DOUBT, values, "%s",
        mez_text_get(&has));
    mez_text_finish(&has);
    return answer;
}

// False: more work-items than size_t can count.
static bool count_work_items(const uint64_t sizes[3], uint64_t *total)
{
    *total = 1;
    for (uint32_t i = 0; i < 3; i++) {
        if (sizes[i] > 0 && *total > SIZE_MAX / sizes[i])
            return false;
        *total *= sizes[i];
    }
    return true;
}

static mez_answer worse(mez_answer a, mez_answer b)
{
    return a > b ? a : b;
}

static mez_answer judge_total(mez_judging *judging, const mez_requirement *requirement)
{
    const uint32_t most = judging->device->target->max_group_size;
    uint64_t total;
    if (!count_work_items(requirement->group.sizes, &total))
        return mez_judging_note(judging, requirement, MEZ_LACKS, MEZ_CHECK_TEXT_GROUP_OVERFLOW,
            NULL, most ? "the device runs at most %" PRIu32 " work-items together" : "no device has that many",
            most);
    if (most && total <= most)
        return MEZ_HAS;
    char room[NUMBER_ROOM];
    const char *const values[] = {number(room, total)};
    if (!most)
        return mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_GROUP_DOUBT,
            values, "a device of the target tells");
    return mez_judging_note(judging, requirement, MEZ_LACKS, MEZ_CHECK_TEXT_GROUP_TOTAL, values,
        "the device runs at most %" PRIu32 " work-items together", most);
}

static mez_answer judge_dimension(
    mez_judging *judging, const mez_requirement *requirement, uint32_t dimension)
{
    const uint32_t most = judging->device->target->max_group_sizes[dimension];
    const uint64_t size = requirement->group.sizes[dimension];
    if (most == 0 || size <= most) // an unknown limit is the total's to tell
        return MEZ_HAS;
    char room[NUMBER_ROOM];
    const char *const values[] = {number(room, size)};
    return mez_judging_note(judging, requirement, MEZ_LACKS, MEZ_CHECK_TEXT_GROUP_DIMENSION, values,
        "the device runs at most %" PRIu32 " work-items together in dimension %" PRIu32, most,
        dimension);
}

static mez_answer judge_group_size(mez_judging *judging, const mez_requirement *requirement)
{
    mez_answer answer = judge_total(judging, requirement);
    for (uint32_t i = 0; i < 3; i++)
        answer = worse(answer, judge_dimension(judging, requirement, i));
    return answer;
}

// --- What only warns

static const char *version(char room[NUMBER_ROOM], uint32_t value)
{
    snprintf(room, NUMBER_ROOM, "%u.%u", (unsigned)(value >> 16), (unsigned)(value & 0xffff));
    return room;
}

// Compilers take newer modules than their drivers promise to.
static mez_answer judge_spirv_version(mez_judging *judging, const mez_requirement *requirement)
{
    const uint32_t promised = judging->device->spirv_version;
    if (promised == 0 || requirement->spirv_version <= promised)
        return MEZ_HAS;
    char wanted[NUMBER_ROOM], known[NUMBER_ROOM];
    const char *const values[] = {
        version(wanted, requirement->spirv_version), version(known, promised)};
    return mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_SPIRV_VERSION,
        values, "its compiler may take newer modules");
}

static mez_answer judge_capability(mez_judging *judging, const mez_requirement *requirement)
{
    const char *const values[] = {requirement->capability};
    return mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_CAPABILITY, values,
        "its compiler knows");
}

mez_answer mez_judge(mez_judging *judging, const mez_requirement *requirement)
{
    static mez_answer (*const judges[])(mez_judging *, const mez_requirement *) = {
        [MEZ_REQUIRES_FIXED_TARGET] = judge_fixed_target,
        [MEZ_REQUIRES_ASPECT] = judge_aspect,
        [MEZ_REQUIRES_SUB_GROUP_SIZE] = judge_sub_group_size,
        [MEZ_REQUIRES_GROUP_SIZE] = judge_group_size,
        [MEZ_REQUIRES_MATRIX] = mez_judge_matrix,
        [MEZ_REQUIRES_MATRIX_MAD] = mez_judge_matrix_mad,
        [MEZ_REQUIRES_SPIRV_VERSION] = judge_spirv_version,
        [MEZ_REQUIRES_CAPABILITY] = judge_capability,
    };
    return judges[requirement->kind](judging, requirement);
}
