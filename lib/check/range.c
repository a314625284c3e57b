// SPDX-License-Identifier: MIT
//
// Launches and the work-group size that their kernel requires.

#include <inttypes.h>

#include "check/check.h"
#include "check/texts.h"

static mez_error refuse(mez_check_text which, const char *const *values)
{
    mez_text text = {0};
    mez_check_add_text(&text, which, values);
    const mez_error error = mez_error_make(MEZ_ERRC_ND_RANGE, "%s", mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

static uint64_t local_in(const size_t *local, uint32_t dimensions, uint32_t i)
{
    return i < dimensions ? local[i] : 1;
}

static mez_error refuse_sizes(
    const mez_requirement *required, uint32_t dimensions, const size_t *local)
{
    mez_text given = {0}, wanted = {0};
    const uint32_t count = required->group.dimensions ? required->group.dimensions : 3;
    for (uint32_t i = 0; i < count; i++) {
        const char *comma = i ? ", " : "";
        mez_text_add(&given, "%s%" PRIu64, comma, local_in(local, dimensions, i));
        mez_text_add(&wanted, "%s%" PRIu64, comma, required->group.sizes[i]);
    }
    const char *const values[] = {mez_text_get(&given), mez_text_get(&wanted)};
    const mez_error error = refuse(MEZ_CHECK_TEXT_RANGE_SIZES, values);
    mez_text_finish(&given);
    mez_text_finish(&wanted);
    return error;
}

static mez_error check_one(
    const mez_requirement *required, uint32_t dimensions, const size_t *local)
{
    const uint32_t wanted = required->group.dimensions;
    if (wanted && wanted != dimensions)
        return mez_error_add(refuse(MEZ_CHECK_TEXT_RANGE_DIMENSIONS, NULL), "dimensions",
            "the range has %u, the kernel requires %u", (unsigned)dimensions, (unsigned)wanted);
    for (uint32_t i = 0; local && i < 3; i++)
        if (local_in(local, dimensions, i) != required->group.sizes[i])
            return refuse_sizes(required, dimensions, local);
    return mez_ok();
}

mez_error mez_check_range(
    const mez_requirements *requirements, uint32_t dimensions, const size_t *local)
{
    for (uint32_t i = 0; i < requirements->count; i++) {
        if (requirements->items[i].kind != MEZ_REQUIRES_GROUP_SIZE)
            continue;
        const mez_error error = check_one(&requirements->items[i], dimensions, local);
        if (mez_failed(error))
            return mez_error_add(error, "kernel", "\"%s\" of \"%s\"",
                requirements->kernel ? requirements->kernel : "all", requirements->image);
    }
    return mez_ok();
}
