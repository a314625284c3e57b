// SPDX-License-Identifier: MIT
//
// Lists of requirements, and Intel's compilers.

#include "check/requirements.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "check/check.h"

static bool same_words(mez_slice a, mez_slice b)
{
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

static bool is_for_all(const mez_requirement *requirement)
{
    return !requirement->aspect.compilers && !requirement->aspect.perhaps;
}

// Do both ask for the same, be it from different places? What the first asks for may be more.
static bool says_the_same(const mez_requirement *a, const mez_requirement *b)
{
    switch (a->kind) {
    case MEZ_REQUIRES_ARCHITECTURE:
        return strcmp(a->architecture, b->architecture) == 0;
    case MEZ_REQUIRES_ASPECT:
        return a->aspect.name == b->aspect.name && a->aspect.number == b->aspect.number &&
               (a->aspect.compilers == b->aspect.compilers || is_for_all(a));
    case MEZ_REQUIRES_SUB_GROUP_SIZE:
        return a->sub_group_size == b->sub_group_size;
    case MEZ_REQUIRES_GROUP_SIZE:
        return memcmp(a->group.sizes, b->group.sizes, sizeof a->group.sizes) == 0 &&
               a->group.dimensions == b->group.dimensions;
    case MEZ_REQUIRES_LOCAL_MEMORY:
    case MEZ_REQUIRES_ARGUMENTS:
        return a->bytes == b->bytes;
    case MEZ_REQUIRES_MATRIX:
    case MEZ_REQUIRES_MATRIX_MAD:
        return same_words(a->matrix, b->matrix);
    case MEZ_REQUIRES_DEFINITION:
        return strcmp(a->import->name, b->import->name) == 0;
    case MEZ_REQUIRES_SPIRV_VERSION:
        return a->spirv_version == b->spirv_version;
    case MEZ_REQUIRES_CAPABILITY:
        return a->capability == b->capability;
    case MEZ_REQUIRES_EXTENSION:
        return strcmp(a->extension, b->extension) == 0;
    case MEZ_REQUIRES_ASSERT_FUNCTION: // one name in all code
        return (a->import == NULL) == (b->import == NULL);
    default: // each list of fixed targets narrows the choice
        return false;
    }
}

// How many are compared with a new one. No list of sense has more of a kind; one of millions must not take their square.
#define COMPARED 256

// `place` is behind the last of its kind.
static mez_requirement *find_same(
    mez_requirements *requirements, uint32_t place, const mez_requirement *wanted)
{
    const uint32_t end = place > COMPARED ? place - COMPARED : 0;
    for (uint32_t i = place; i > end && requirements->items[i - 1].kind == wanted->kind; i--)
        if (says_the_same(&requirements->items[i - 1], wanted))
            return &requirements->items[i - 1];
    return NULL;
}

// Of two that say the same the first stays, but a declaration counts wherever it stands, and what is certain more than what may be.
static void unite(mez_requirement *first, const mez_requirement *second)
{
    if (first->kind != MEZ_REQUIRES_ASPECT)
        return;
    if (first->aspect.perhaps && !second->aspect.perhaps)
        *first = *second;
    else if (!second->aspect.perhaps && !second->aspect.only_used)
        first->aspect.only_used = false;
}

// Behind all that are judged before it or with it.
static uint32_t find_place(const mez_requirements *requirements, mez_requirement_kind kind)
{
    uint32_t place = requirements->count;
    while (place > 0 && requirements->items[place - 1].kind > kind)
        place--;
    return place;
}

mez_error mez_requirements_add(mez_requirements *requirements, const mez_requirement *requirement)
{
    const uint32_t place = find_place(requirements, requirement->kind);
    mez_requirement *same = find_same(requirements, place, requirement);
    if (same) {
        unite(same, requirement);
        return mez_ok();
    }
    return mez_vector_insert(requirements, place, *requirement)
               ? mez_ok()
               : mez_error_no_memory("what a kernel requires");
}

void mez_requirements_drop(mez_requirements *requirements, mez_requirement_kind kind)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].kind != kind)
            requirements->items[kept++] = requirements->items[i];
    requirements->count = kept;
}

void mez_requirements_finish(mez_requirements *requirements)
{
    mez_free_memory(requirements->items);
    *requirements = (mez_requirements){0};
}

// --- What the property set of an image states

static mez_error add_fixed_targets(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    if (!stated->has_fixed_targets)
        return mez_ok();
    return mez_requirements_add(requirements,
        &(mez_requirement){
            .kind = MEZ_REQUIRES_FIXED_TARGET,
            .fixed_target = {stated->fixed_targets, (uint32_t)stated->fixed_target_count},
        });
}

// Numbers of internal aspects are negative. They group kernels while images are made, and ask nothing of a device.
static bool is_internal(const mez_required_aspect *aspect)
{
    return aspect->aspect == MEZ_ASPECT_NONE && aspect->number > INT32_MAX;
}

static mez_error add_aspects(mez_requirements *requirements, const mez_device_requirements *stated)
{
    for (size_t i = 0; i < stated->aspect_count; i++) {
        const mez_required_aspect *aspect = &stated->aspects[i];
        const bool named = aspect->aspect != MEZ_ASPECT_NONE;
        if (is_internal(aspect))
            continue;
        MEZ_TRY(mez_requirements_add(requirements,
            &(mez_requirement){
                .kind = MEZ_REQUIRES_ASPECT,
                .aspect = {.name = aspect->aspect, .number = named ? 0 : aspect->number},
            }));
    }
    return mez_ok();
}

static mez_error add_sub_group_sizes(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    for (size_t i = 0; i < stated->sub_group_size_count && !stated->esimd; i++)
        MEZ_TRY(mez_requirements_add(requirements, &(mez_requirement){
                                                       .kind = MEZ_REQUIRES_SUB_GROUP_SIZE,
                                                       .sub_group_size = stated->sub_group_sizes[i],
                                                   }));
    return mez_ok();
}

static mez_error add_group_sizes(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    for (size_t i = 0; i < stated->work_group_size_count; i++) {
        mez_requirement requirement = {
            .kind = MEZ_REQUIRES_GROUP_SIZE,
            .group.dimensions = stated->work_group_dimensions,
        };
        memcpy(requirement.group.sizes, stated->work_group_sizes[i].size,
            sizeof requirement.group.sizes);
        MEZ_TRY(mez_requirements_add(requirements, &requirement));
    }
    return mez_ok();
}

// One requirement for each of the parts between semicolons.
static mez_error add_matrices(
    mez_requirements *requirements, mez_requirement_kind kind, const char *list)
{
    while (list && *list) {
        const size_t length = strcspn(list, ";");
        const mez_requirement requirement = {.kind = kind, .matrix = {list, length}};
        if (length > 0)
            MEZ_TRY(mez_requirements_add(requirements, &requirement));
        list += length + (list[length] == ';');
    }
    return mez_ok();
}

mez_error mez_requirements_add_stated(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    MEZ_TRY(add_fixed_targets(requirements, stated));
    MEZ_TRY(add_aspects(requirements, stated));
    MEZ_TRY(add_sub_group_sizes(requirements, stated));
    MEZ_TRY(add_group_sizes(requirements, stated));
    MEZ_TRY(add_matrices(requirements, MEZ_REQUIRES_MATRIX, stated->joint_matrix));
    return add_matrices(requirements, MEZ_REQUIRES_MATRIX_MAD, stated->joint_matrix_mad);
}

// --- Intel's compilers

// Intel's drivers number themselves so, with their build in the lower half.
#define INTEL_DRIVER 0x0103u

// The first release with the second generation: its manifest (manifests/manifest.yml of tag 24.45.31740.8 in intel/compute-runtime)
// names igc v2.1.12, that of the release before (24.39.31294.21) igc-1.0.17791.16. Later releases of the branch 24.35, which is kept
// for older GPUs, stay with the first.
#define FIRST_BUILD_OF_IGC_2 31740u
#define FIRST_RELEASE_OF_IGC_2 2445u

const char *mez_igc_name(mez_igc compiler)
{
    static const char *const names[] = {
        [MEZ_IGC_UNKNOWN] = "an unknown compiler",
        [MEZ_IGC_1] = "IGC 1",
        [MEZ_IGC_2] = "IGC 2",
    };
    return names[compiler];
}

bool mez_igc_find(const char *version, mez_igc *compiler)
{
    const bool is_version = (*version == '1' || *version == '2') &&
                            (version[1] == '\0' || version[1] == '.') &&
                            version[strspn(version, "0123456789.")] == '\0';
    if (is_version)
        *compiler = *version == '1' ? MEZ_IGC_1 : MEZ_IGC_2;
    return is_version;
}

mez_igc mez_igc_of_driver(uint32_t driver_version)
{
    if (driver_version >> 16 != INTEL_DRIVER)
        return MEZ_IGC_UNKNOWN;
    return (driver_version & 0xffff) < FIRST_BUILD_OF_IGC_2 ? MEZ_IGC_1 : MEZ_IGC_2;
}

mez_igc mez_igc_of_release(const char *release)
{
    unsigned year, week;
    if (sscanf(release, "%2u.%2u.", &year, &week) != 2)
        return MEZ_IGC_UNKNOWN;
    return year * 100 + week < FIRST_RELEASE_OF_IGC_2 ? MEZ_IGC_1 : MEZ_IGC_2;
}
