// SPDX-License-Identifier: MIT
//
// What each kind of requirement asks of a device.

#include "check/judge.h"

#include <inttypes.h>
#include <string.h>

#include "check/describe.h"
#include "check/requirements.h"
#include "spirv/asserts.h"
#include "spirv/capabilities.h"
#include "target/target.h"

// --- Sizes
//
// Sizes that code requires: of sub-groups, work-groups, local memory, arguments.

static void add_sub_group_sizes(mez_text *text, const mez_target *target)
{
    mez_text_add(text, target->sub_group_size_count
                           ? "the device has sub-groups of "
                           : "the sub-group sizes of the device are unknown");
    for (uint32_t i = 0; i < target->sub_group_size_count; i++)
        mez_text_add(text, "%s%" PRIu32, i ? ", " : "", target->sub_group_sizes[i]);
}

// Those of sizes, and of joint matrices (matrix.c).
static mez_answer judge_sub_group_size(mez_judging *judging, const mez_requirement *requirement)
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
        known ? MEZ_CHECK_TEXT_SUB_GROUP_SIZE : MEZ_CHECK_TEXT_SUB_GROUP_SIZE_DOUBT, values, "%-s",
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
            values, "the limit depends on the device of the target");
    return mez_judging_note(judging, requirement, MEZ_LACKS, MEZ_CHECK_TEXT_GROUP_TOTAL, values,
        "the device runs at most %" PRIu32 " work-items together", most);
}

static mez_answer judge_dimension(
    mez_judging *judging, const mez_requirement *requirement, uint32_t dimension)
{
    const uint32_t most = judging->device->target->max_group_sizes[dimension];
    const uint64_t size = requirement->group.sizes[dimension];
    if (most == 0 || size <= most) // an unknown limit is reported with the total
        return MEZ_HAS;
    char room[MEZ_NUMBER_ROOM];
    const char *const values[] = {mez_write_number(room, size)};
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
        return mez_judging_note(judging, requirement, MEZ_MAY_HAVE, doubted, values,
            "the limit depends on the device of the target");
    return mez_judging_note(
        judging, requirement, MEZ_LACKS, lacking, values, "%s %" PRIu32 " bytes", what, most);
}

static mez_answer judge_local_memory(mez_judging *judging, const mez_requirement *requirement)
{
    return judge_bytes(judging, requirement, judging->device->target->max_local_memory,
        MEZ_CHECK_TEXT_LOCAL_MEMORY, MEZ_CHECK_TEXT_LOCAL_MEMORY_DOUBT,
        "a work-group of the device has");
}

static mez_answer judge_arguments(mez_judging *judging, const mez_requirement *requirement)
{
    return judge_bytes(judging, requirement, judging->device->target->max_argument_size,
        MEZ_CHECK_TEXT_ARGUMENTS, MEZ_CHECK_TEXT_ARGUMENTS_DOUBT, "the device takes");
}

// --- Native code

static mez_answer judge_architecture(mez_judging *judging, const mez_requirement *requirement)
{
    static const mez_answer answers[] = {
        [MEZ_NATIVE_FITS] = MEZ_HAS,
        [MEZ_NATIVE_MAY_FIT] = MEZ_MAY_HAVE,
        [MEZ_NATIVE_MISFIT] = MEZ_LACKS,
    };
    const char *device = judging->device->target->name;
    const mez_answer answer = answers[mez_native_compare(requirement->architecture, device)];
    if (answer == MEZ_HAS)
        return answer;
    const char *const values[] = {requirement->architecture};
    return mez_judging_note(judging, requirement, answer,
        answer == MEZ_LACKS ? MEZ_CHECK_TEXT_ARCHITECTURE : MEZ_CHECK_TEXT_ARCHITECTURE_DOUBT,
        values, "the device is %s", device);
}

// --- Fixed targets

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
                                        : "the device is %s; no device can run this, because code "
                                          "for different targets was combined",
        target->name);
    mez_text_finish(&names);
    return answer;
}

// --- Aspects

// The kind of device and what code asks for by name; of the many others only that there are some.
static void add_aspects(mez_text *text, const mez_target *target)
{
    bool others = target->unnamed_aspect_count > 0;
    if (!target->aspects_known) {
        mez_text_add(text, "the aspects of the device are unknown");
        return;
    }
    mez_text_add(text, "the device has ");
    const size_t empty = text->length;
    mez_aspects_each(&target->aspects, aspect)
    {
        if (mez_aspect_is_reported(aspect) || aspect == MEZ_ASPECT_gpu || aspect == MEZ_ASPECT_cpu)
            mez_text_add(text, "%s%s", text->length > empty ? ", " : "", mez_aspect_name(aspect));
        else
            others = true;
    }
    if (others)
        mez_text_add(text, text->length > empty ? ", and others" : "other aspects");
    else if (text->length == empty)
        mez_text_add(text, "no aspect");
}

// As far as is known.
static bool has_aspect(const mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    if (!target->aspects_known)
        return false;
    if (requirement->aspect.name == MEZ_ASPECT_NONE)
        return mez_target_has_number(target, judging->numbering, requirement->aspect.number);
    return mez_target_has(target, requirement->aspect.name);
}

// Is it the device's compiler that needs the aspect? Of one that is not known nobody can say no.
static bool is_asked_for(const mez_judging *judging, const mez_requirement *requirement)
{
    const mez_igc compiler = judging->device->compiler;
    const uint32_t compilers = requirement->aspect.compilers;
    return !compilers || compiler == MEZ_IGC_UNKNOWN || compilers & MEZ_IGC_BIT(compiler);
}

// Not of the first generation, and which one is there is not known.
static bool is_of_some(const mez_judging *judging, const mez_requirement *requirement)
{
    const uint32_t compilers = requirement->aspect.compilers;
    return judging->device->compiler == MEZ_IGC_UNKNOWN && compilers &&
           !(compilers & MEZ_IGC_BIT(MEZ_IGC_1));
}

static void add_compiler(
    mez_text *text, const mez_judging *judging, const mez_requirement *requirement)
{
    if (requirement->aspect.compilers && judging->device->compiler != MEZ_IGC_UNKNOWN)
        mez_text_add(text,
            "; the device's compiler, %s, asks for the aspect here, and others do not",
            mez_igc_name(judging->device->compiler));
}

static mez_check_text aspect_text(
    const mez_judging *judging, const mez_requirement *requirement, mez_answer answer)
{
    if (requirement->aspect.name == MEZ_ASPECT_NONE)
        return MEZ_CHECK_TEXT_UNKNOWN_ASPECT;
    if (requirement->aspect.perhaps)
        return MEZ_CHECK_TEXT_ASPECT_OF_COMPILERS;
    if (is_of_some(judging, requirement))
        return MEZ_CHECK_TEXT_ASPECT_OF_SOME;
    return answer == MEZ_LACKS ? MEZ_CHECK_TEXT_ASPECT : MEZ_CHECK_TEXT_ASPECT_DOUBT;
}

static mez_answer answer_without(const mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    if (is_of_some(judging, requirement) || !target->aspects_known ||
        target->may_support_other_aspects || requirement->aspect.perhaps)
        return MEZ_MAY_HAVE;
    const bool doubt =
        requirement->aspect.only_used && !mez_aspect_is_reported(requirement->aspect.name);
    return doubt ? MEZ_MAY_HAVE : MEZ_LACKS;
}

static mez_answer judge_aspect(mez_judging *judging, const mez_requirement *requirement)
{
    const mez_target *target = judging->device->target;
    if (has_aspect(judging, requirement) || !is_asked_for(judging, requirement))
        return MEZ_HAS;
    const mez_answer answer = answer_without(judging, requirement);
    if (!judging->verdict)
        return answer;
    char room[MEZ_NUMBER_ROOM];
    const char *const values[] = {requirement->aspect.name == MEZ_ASPECT_NONE
                                      ? mez_write_number(room, requirement->aspect.number)
                                      : mez_aspect_name(requirement->aspect.name)};
    mez_text has = {0};
    add_aspects(&has, target);
    add_compiler(&has, judging, requirement);
    mez_judging_note(judging, requirement, answer, aspect_text(judging, requirement, answer),
        values, "%-s", mez_text_get(&has));
    mez_text_finish(&has);
    return answer;
}

// --- Asserts

// Who imports the function gets the published one on every device. Where the code defines it, compilers that bring asserts put their
// own in its place: those of the second generation all do, of the first the later ones.
static mez_answer answer_of_assert(const mez_judging *judging, const mez_requirement *requirement)
{
    return requirement->import || judging->device->compiler == MEZ_IGC_2 ? MEZ_LACKS : MEZ_MAY_HAVE;
}

static mez_answer judge_assert_function(mez_judging *judging, const mez_requirement *requirement)
{
    const mez_answer answer = answer_of_assert(judging, requirement);
    if (!judging->verdict)
        return answer;
    const struct mez_spirv_module *module = requirement->survey->module;
    const char *const values[] = {MEZ_ASSERT_FUNCTION};
    char deviation[MEZ_ASSERT_DEVIATION_ROOM];
    if (!mez_spirv_assert_deviates(module, mez_spirv_find_assert(module), deviation))
        return MEZ_HAS;
    return mez_judging_note(judging, requirement, answer,
        requirement->import ? MEZ_CHECK_TEXT_ASSERT_IMPORT : MEZ_CHECK_TEXT_ASSERT_DEFINITION,
        values,
        requirement->import
            ? "%s; declare it as mezzanine/assert.h does, or include that"
            : "%s; compilers with built-in asserts replace it by their own function: rename yours",
        deviation);
}

// --- What only warns

static mez_answer judge_definition(mez_judging *judging, const mez_requirement *requirement)
{
    const char *const values[] = {requirement->import->name};
    return mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_DEFINITION, values,
        "a library that the program gives to the image has to define it, else no kernel that uses "
        "it can be built");
}

// Compilers take newer modules than their drivers promise to.
static mez_answer judge_spirv_version(mez_judging *judging, const mez_requirement *requirement)
{
    const uint32_t promised = judging->device->spirv_version;
    if (promised == 0 || requirement->spirv_version <= promised)
        return MEZ_HAS;
    char wanted[MEZ_NUMBER_ROOM], known[MEZ_NUMBER_ROOM];
    const char *const values[] = {
        mez_write_version(wanted, requirement->spirv_version), mez_write_version(known, promised)};
    return mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_SPIRV_VERSION,
        values, "its compiler may take newer modules");
}

static mez_answer judge_capability(mez_judging *judging, const mez_requirement *requirement)
{
    char room[MEZ_SPIRV_CAPABILITY_ROOM];
    const char *const values[] = {mez_spirv_capability_name(requirement->capability, room)};
    return mez_judging_note(
        judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_FEATURE, values, "its compiler knows");
}

static mez_answer judge_extension(mez_judging *judging, const mez_requirement *requirement)
{
    const char *const values[] = {requirement->extension};
    return mez_judging_note(
        judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_FEATURE, values, "its compiler knows");
}

mez_answer mez_judge(mez_judging *judging, const mez_requirement *requirement)
{
    static mez_answer (*const judges[])(mez_judging *, const mez_requirement *) = {
        [MEZ_REQUIRES_ARCHITECTURE] = judge_architecture,
        [MEZ_REQUIRES_FIXED_TARGET] = judge_fixed_target,
        [MEZ_REQUIRES_ASPECT] = judge_aspect,
        [MEZ_REQUIRES_SUB_GROUP_SIZE] = judge_sub_group_size,
        [MEZ_REQUIRES_GROUP_SIZE] = judge_group_size,
        [MEZ_REQUIRES_LOCAL_MEMORY] = judge_local_memory,
        [MEZ_REQUIRES_ARGUMENTS] = judge_arguments,
        [MEZ_REQUIRES_MATRIX] = mez_judge_matrix,
        [MEZ_REQUIRES_MATRIX_MAD] = mez_judge_matrix_mad,
        [MEZ_REQUIRES_ASSERT_FUNCTION] = judge_assert_function,
        [MEZ_REQUIRES_DEFINITION] = judge_definition,
        [MEZ_REQUIRES_SPIRV_VERSION] = judge_spirv_version,
        [MEZ_REQUIRES_CAPABILITY] = judge_capability,
        [MEZ_REQUIRES_EXTENSION] = judge_extension,
    };
    return judges[requirement->kind](judging, requirement);
}
