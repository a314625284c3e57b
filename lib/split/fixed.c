// SPDX-License-Identifier: MIT
//
// Fixed targets as numbers: an ip version without its revision, or where a target has none the aspect that it is.

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "split/parts.h"

#define IP_REVISION 0x3Fu

static bool value_of(const mez_target *target, mez_aspect_numbering numbering, uint32_t *value)
{
    if (target->ip_version_count) {
        *value = target->ip_versions[0] & ~IP_REVISION;
        return true;
    }
    return mez_target_has(target, MEZ_ASPECT_cpu) && !mez_target_has(target, MEZ_ASPECT_gpu) &&
           mez_aspect_get_number(MEZ_ASPECT_cpu, numbering, value);
}

static int compare_values(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void sort_values(mez_fixed_set *set)
{
    uint32_t kept = 0;
    qsort(set->values, set->count, sizeof *set->values, compare_values);
    for (uint32_t i = 0; i < set->count; i++) {
        if (kept == 0 || set->values[kept - 1] != set->values[i])
            set->values[kept++] = set->values[i];
    }
    set->count = kept;
}

mez_error mez_fixed_set_make(
    const mez_split_source *source, mez_aspect_numbering numbering, mez_fixed_set *set)
{
    set->values = mez_alloc_array(source->fixed_target_count + 1, sizeof *set->values);
    if (!set->values)
        return mez_error_no_memory("fixed targets");
    for (uint32_t i = 0; i < source->fixed_target_count; i++) {
        const mez_target *target = source->fixed_targets[i];
        if (!value_of(target, numbering, &set->values[set->count++]))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "\"%s\" can't be a fixed target: it is no single architecture that a property "
                "could name",
                target->name);
    }
    sort_values(set);
    return mez_ok();
}

bool mez_fixed_set_equal(const mez_fixed_set *a, const mez_fixed_set *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->values, b->values, a->count * sizeof *a->values) == 0);
}

mez_error mez_fixed_set_copy(const mez_fixed_set *from, mez_fixed_set *copy)
{
    copy->values = mez_alloc_array(from->count + 1, sizeof *copy->values);
    if (!copy->values)
        return mez_error_no_memory("fixed targets");
    copy->count = from->count;
    if (from->count)
        memcpy(copy->values, from->values, from->count * sizeof *copy->values);
    return mez_ok();
}

void mez_fixed_set_cut(mez_fixed_set *set, const mez_fixed_set *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (other->count && bsearch(&set->values[i], other->values, other->count,
                                sizeof *other->values, compare_values))
            set->values[kept++] = set->values[i];
    }
    set->count = kept;
}
