// SPDX-License-Identifier: MIT
//
// Sizes that code requires: of sub-groups, work-groups, local memory, arguments.

#include "check/judge.h"

#include <inttypes.h>

#include "check/describe.h"

static void add_sub_group_sizes(mez_text *text, const mez_target *target)
{
    mez_text_add(text, target->sub_group_size_count
                           ? "the device has sub-groups of "
                           : "which sub-groups the device has is not known");
    for (uint32_t i = 0; i < target->sub_group_size_count; i++)
        mez_text_add(text, "%s%" PRIu32, i ? ", " : "", target->sub_group_sizes[i]);
}

mez_answer mez_judge_sub_group_size(mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    const bool known = target->sub_group_size_count > 0;
    if (known && mez_target_has_sub_group_size(target, requirement->sub_group_size))
        return MEZ_HAS;
    const mez_answer answer = known ? MEZ_LACKS : MEZ_MAY_HAVE;
    if (!judging->verdict)
        return answer;
    char room[MEZ_NUMBER_ROOM];
    const char *const values[] = {mez_write_number(room, requirement->sub_group_size)};
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
            NULL,
            most ? "the device runs at most %" PRIu32 " work-items together"
                 : "no device has that many",
            most);
    if (most && total <= most)
        return MEZ_HAS;
    char room[MEZ_NUMBER_ROOM];
    const char *const values[] = {mez_write_number(room, total)};
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
    char room[MEZ_NUMBER_ROOM];
    const char *const values[] = {mez_write_number(room, size)};
    return mez_judging_note(judging, requirement, MEZ_LACKS, MEZ_CHECK_TEXT_GROUP_DIMENSION, values,
        "the device runs at most %" PRIu32 " work-items together in dimension %" PRIu32, most,
        dimension);
}

mez_answer mez_judge_group_size(mez_judging *judging, const mez_requirement *requirement)
{
    mez_answer answer = judge_total(judging, requirement);
    for (uint32_t i = 0; i < 3; i++)
        answer = worse(answer, judge_dimension(judging, requirement, i));
    return answer;
}

// --- Memory

// `what` the device does with `most` bytes.
static mez_answer judge_bytes(mez_judging *judging, const mez_requirement *requirement,
    uint32_t most, mez_check_text lacking, mez_check_text doubted, const char *what)
{
    if (most && requirement->bytes <= most)
        return MEZ_HAS;
    char room[MEZ_NUMBER_ROOM];
    const char *const values[] = {mez_write_number(room, requirement->bytes)};
    if (!most)
        return mez_judging_note(
            judging, requirement, MEZ_MAY_HAVE, doubted, values, "a device of the target tells");
    return mez_judging_note(
        judging, requirement, MEZ_LACKS, lacking, values, "%s %" PRIu32 " bytes", what, most);
}

mez_answer mez_judge_local_memory(mez_judging *judging, const mez_requirement *requirement)
{
    return judge_bytes(judging, requirement, judging->device->target->max_local_memory,
        MEZ_CHECK_TEXT_LOCAL_MEMORY, MEZ_CHECK_TEXT_LOCAL_MEMORY_DOUBT,
        "a work-group of the device has");
}

mez_answer mez_judge_arguments(mez_judging *judging, const mez_requirement *requirement)
{
    return judge_bytes(judging, requirement, judging->device->target->max_argument_size,
        MEZ_CHECK_TEXT_ARGUMENTS, MEZ_CHECK_TEXT_ARGUMENTS_DOUBT, "the device takes");
}
