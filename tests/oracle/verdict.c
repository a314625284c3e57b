// SPDX-License-Identifier: MIT

#include "verdict.h"

#include <stdio.h>

#include "subjects.h"

const char *const device_names[DEVICES] = {
    "tgllp", "skl", "dg2", "pvc", "mtl", "bmg", "lnl-m", "ptl"};

// What the table of targets calls them: some of these names stand for several chips, which it knows by the first. Devices that one
// generation of the compiler alone knows name it.
static const struct {
    const char *target;
    mez_igc only;
} devices[DEVICES] = {
    {"tgllp", MEZ_IGC_UNKNOWN},
    {"skl", MEZ_IGC_1},
    {"acm_g10", MEZ_IGC_UNKNOWN},
    {"pvc", MEZ_IGC_UNKNOWN},
    {"mtl_u", MEZ_IGC_2},
    {"bmg_g21", MEZ_IGC_2},
    {"lnl_m", MEZ_IGC_2},
    {"ptl_h", MEZ_IGC_2},
};

static mez_igc compiler;

bool choose_compiler(const char *driver_version)
{
    compiler = mez_igc_of_release(driver_version);
    if (compiler == MEZ_IGC_UNKNOWN)
        fprintf(stderr, "\"%s\" is not a version of a driver\n", driver_version);
    return compiler != MEZ_IGC_UNKNOWN;
}

bool device_is_known(size_t device)
{
    return devices[device].only == MEZ_IGC_UNKNOWN || devices[device].only == compiler;
}

static const mez_target *find_target(size_t device)
{
    const mez_targets *targets;
    if (mez_failed(mez_targets_get_default(&targets)))
        return NULL;
    return mez_targets_find(targets, devices[device].target, NULL);
}

bool device_has_doubles(size_t device)
{
    const mez_target *target = find_target(device);
    return target && mez_target_has(target, MEZ_ASPECT_fp64);
}

// --- What a refusal is about

static unsigned about_aspect(mez_aspect aspect)
{
    switch (aspect) {
    case MEZ_ASPECT_fp64:
        return ABOUT_DOUBLE;
    case MEZ_ASPECT_fp16:
        return ABOUT_HALF;
    case MEZ_ASPECT_atomic64:
        return ABOUT_ATOMIC64;
    case MEZ_ASPECT_ext_oneapi_atomic16:
        return ABOUT_ATOMIC16;
    case MEZ_ASPECT_ext_intel_legacy_image:
        return ABOUT_IMAGE;
    case MEZ_ASPECT_ext_intel_esimd:
        return ABOUT_ESIMD;
    case MEZ_ASPECT_ext_intel_matrix:
        return ABOUT_MATRIX;
    default:
        return ABOUT_OTHER;
    }
}

bool is_declared(const struct mez_spirv_survey *survey, uint32_t function, mez_aspect aspect)
{
    struct mez_spirv_place place;
    const bool declared =
        mez_spirv_survey_find_use(survey, function, aspect, &place) == MEZ_SPIRV_OK &&
        place.declared;
    mez_spirv_place_finish(&place);
    return declared;
}

static unsigned about_requirement(const mez_requirement *requirement)
{
    switch (requirement->kind) {
    case MEZ_REQUIRES_ASPECT:
        return about_aspect(requirement->aspect.name);
    case MEZ_REQUIRES_SUB_GROUP_SIZE:
        return ABOUT_SUB_GROUP;
    case MEZ_REQUIRES_GROUP_SIZE:
        return ABOUT_GROUP_SIZE;
    case MEZ_REQUIRES_LOCAL_MEMORY:
        return ABOUT_LOCAL_MEMORY;
    case MEZ_REQUIRES_ARGUMENTS:
        return ABOUT_ARGUMENTS;
    case MEZ_REQUIRES_ASSERT_FUNCTION:
        return ABOUT_ASSERT;
    default:
        return ABOUT_OTHER;
    }
}

static void note(const mez_reason *reason, size_t device, struct prediction *prediction)
{
    const mez_requirement *requirement = reason->requirement;
    const unsigned about = about_requirement(requirement);
    if (reason->answer != MEZ_LACKS) {
        prediction->doubted[device] |= about;
    } else if (requirement->kind == MEZ_REQUIRES_ASPECT &&
               is_declared(requirement->survey, requirement->function, requirement->aspect.name)) {
        prediction->refused[device] |= ABOUT_DECLARED;
        prediction->declared[device] |= about;
    } else {
        prediction->refused[device] |= about;
    }
}

static bool judge(
    const mez_requirements *requirements, size_t device, struct prediction *prediction)
{
    const mez_target *target = find_target(device);
    if (!target) {
        fprintf(stderr, "there is no target %s\n", devices[device].target);
        return false;
    }
    mez_check_device checked = mez_check_device_of(device_names[device], target);
    checked.compiler = compiler;
    mez_verdict verdict = {0};
    const bool ok = !mez_failed(mez_check(requirements, &checked, &verdict));
    for (uint32_t i = 0; ok && i < verdict.count; i++)
        note(&verdict.reasons[i], device, prediction);
    mez_verdict_finish(&verdict);
    return ok;
}

bool judge_for_all(const mez_requirements *requirements, struct prediction *prediction)
{
    bool ok = true;
    for (size_t device = 0; ok && device < DEVICES; device++)
        ok = !device_is_known(device) || judge(requirements, device, prediction);
    return ok;
}
