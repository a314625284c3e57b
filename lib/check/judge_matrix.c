// SPDX-License-Identifier: MIT
//
// Joint matrices that code asks for.

#include "check/judge.h"
#include "check/matrix.h"

// What differs between a matrix and a multiplication.
typedef struct matrix_kind {
    // False: the words say no such thing.
    bool (*find)(const mez_matrix_words *words, const mez_check_device *device, bool *found);
    mez_check_text none, lacks, doubt;
} matrix_kind;

static bool find_matrix(const mez_matrix_words *words, const mez_check_device *device, bool *found)
{
    mez_matrix matrix;
    if (!mez_matrix_read(words, &matrix))
        return false;
    for (uint32_t i = 0; i < device->matrix_count; i++)
        *found |= mez_matrix_fits(&device->matrices[i], &matrix);
    return true;
}

static bool find_mad(const mez_matrix_words *words, const mez_check_device *device, bool *found)
{
    mez_matrix_mad mad;
    if (!mez_matrix_mad_read(words, &mad))
        return false;
    for (uint32_t i = 0; i < device->matrix_count; i++)
        *found |= mez_matrix_mad_fits(&device->matrices[i], &mad);
    return true;
}

static const matrix_kind one_matrix = {
    find_matrix, MEZ_CHECK_TEXT_NO_MATRIX, MEZ_CHECK_TEXT_MATRIX, MEZ_CHECK_TEXT_MATRIX_DOUBT};
static const matrix_kind multiplication = {find_mad, MEZ_CHECK_TEXT_NO_MATRIX_MAD,
    MEZ_CHECK_TEXT_MATRIX_MAD, MEZ_CHECK_TEXT_MATRIX_MAD_DOUBT};

static mez_answer note_unreadable(mez_judging *judging, const mez_requirement *requirement)
{
    mez_text words = {0};
    mez_text_add(&words, "%.*s", (int)requirement->matrix.length, requirement->matrix.start);
    const char *const values[] = {mez_text_get(&words)};
    mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_MATRIX_UNREADABLE, values,
        "so that nobody can tell");
    mez_text_finish(&words);
    return MEZ_MAY_HAVE;
}

// As mez_judging_note, with the parts of the requirement for values.
static mez_answer note_parts(mez_judging *judging, const mez_requirement *requirement,
    mez_answer answer, mez_check_text which, const char *has)
{
    mez_matrix_words words;
    mez_text texts[MEZ_MATRIX_PARTS] = {0};
    const char *values[MEZ_MATRIX_PARTS];
    mez_matrix_split(requirement->matrix, &words);
    for (uint32_t i = 0; i < words.count; i++) {
        mez_text_add(&texts[i], "%.*s", (int)words.parts[i].length, words.parts[i].start);
        values[i] = mez_text_get(&texts[i]);
    }
    mez_judging_note(judging, requirement, answer, which, values, "%s", has);
    for (uint32_t i = 0; i < words.count; i++)
        mez_text_finish(&texts[i]);
    return answer;
}

// Somebody says that there is matrix hardware, or may be, and nobody says what it can do.
static bool may_have_hardware(const mez_target *target)
{
    return mez_target_has(target, MEZ_ASPECT_ext_intel_matrix) || target->may_support_other_aspects;
}

static mez_answer judge(
    mez_judging *judging, const mez_requirement *requirement, const matrix_kind *kind)
{
    const mez_check_device *device = judging->device;
    mez_matrix_words words;
    bool found = false;
    if (!mez_matrix_split(requirement->matrix, &words) || !kind->find(&words, device, &found))
        return note_unreadable(judging, requirement);
    if (found)
        return MEZ_HAS;
    if (device->matrix_count > 0)
        return note_parts(judging, requirement, MEZ_LACKS, kind->lacks,
            "the device has joint matrices of other types and sizes");
    if (may_have_hardware(device->target))
        return note_parts(judging, requirement, MEZ_MAY_HAVE, kind->doubt,
            "which joint matrices the device has is not known");
    return mez_judging_note(
        judging, requirement, MEZ_LACKS, kind->none, NULL, "the device has no matrix hardware");
}

mez_answer mez_judge_matrix(mez_judging *judging, const mez_requirement *requirement)
{
    return judge(judging, requirement, &one_matrix);
}

mez_answer mez_judge_matrix_mad(mez_judging *judging, const mez_requirement *requirement)
{
    return judge(judging, requirement, &multiplication);
}
