// SPDX-License-Identifier: MIT
//
// Which images a target can run, and tables without the others.

#include "filter/filter.h"

#include <mezzanine/filter.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/version.h"
#include "container/properties.h"

// --- One image

static void add_aspect(mez_text *why, const mez_required_aspect *aspect)
{
    if (!why)
        return;
    if (aspect->aspect == MEZ_ASPECT_NONE)
        mez_text_add(why, "aspect %u", aspect->number);
    else
        mez_text_add(why, "aspect %s", mez_aspect_name(aspect->aspect));
}

static bool has_aspects(const mez_device_requirements *requirements, mez_aspect_numbering numbering,
    const mez_target *target, mez_text *why)
{
    for (size_t i = 0; i < requirements->aspect_count; i++) {
        const mez_required_aspect *aspect = &requirements->aspects[i];
        if (mez_target_has_number(target, numbering, aspect->number))
            continue;
        add_aspect(why, aspect);
        return false;
    }
    return true;
}

// Code for explicit SIMD asks for sub-groups of 1, which says nothing of the device.
static bool has_sub_groups(
    const mez_device_requirements *requirements, const mez_target *target, mez_text *why)
{
    for (size_t i = 0; !requirements->esimd && i < requirements->sub_group_size_count; i++) {
        const uint32_t size = requirements->sub_group_sizes[i];
        if (mez_target_has_sub_group_size(target, size))
            continue;
        if (why)
            mez_text_add(why, "sub-groups of %u", size);
        return false;
    }
    return true;
}

static bool is_fixed_target(const mez_device_requirements *requirements,
    mez_aspect_numbering numbering, const mez_target *target, mez_text *why)
{
    for (size_t i = 0; i < requirements->fixed_target_count; i++)
        if (mez_target_is(target, numbering, requirements->fixed_targets[i]))
            return true;
    if (requirements->has_fixed_targets && why)
        mez_text_add(why, "another target: it is for fixed ones");
    return !requirements->has_fixed_targets;
}

bool mez_filter_fits(const mez_device_requirements *requirements, mez_aspect_numbering numbering,
    const mez_target *target, mez_text *why)
{
    return !requirements->stated || (has_aspects(requirements, numbering, target, why) &&
                                        has_sub_groups(requirements, target, why) &&
                                        is_fixed_target(requirements, numbering, target, why));
}

// --- A table of them

static mez_error find_target(const mez_filter_params *params, const mez_target **target)
{
    const char *nearest;
    *target = mez_targets_find(params->targets, params->target, &nearest);
    if (*target)
        return mez_ok();
    const mez_error error = mez_error_make(
        MEZ_ERRC_INVALID_PARAMETER, "the target \"%s\" is not known", params->target);
    return nearest ? mez_error_add(error, "perhaps meant", "%s", nearest) : error;
}

static mez_error judge_properties(const mez_filter_params *params, const mez_target *target,
    const mez_properties *properties, const char *source, mez_text *why, bool *fits)
{
    const mez_aspect_numbering numbering =
        params->renumbered_aspects ? MEZ_ASPECTS_RENUMBERED : MEZ_ASPECTS_CLASSIC;
    const mez_requirements_reading reading = {
        .numbering = numbering, .doc_forms = params->doc_names, .source = source};
    mez_device_requirements requirements;
    MEZ_TRY(mez_device_requirements_read(properties, &reading, &requirements));
    *fits = mez_filter_fits(&requirements, numbering, target, why);
    mez_device_requirements_finish(&requirements);
    return mez_ok();
}

static mez_error judge_file(const mez_filter_params *params, const mez_target *target,
    const char *path, mez_text *why, bool *fits)
{
    mez_properties properties = {0};
    mez_error error = mez_prop_load(path, &properties);
    if (!mez_failed(error))
        error = judge_properties(params, target, &properties, path, why, fits);
    mez_properties_finish(&properties);
    return error;
}

// Takes the row out, or goes on to the next.
static void settle(
    const mez_filter_params *params, mez_table *table, size_t *row, const char *why, bool fits)
{
    if (fits) {
        ++*row;
        return;
    }
    if (params->leave_out)
        params->leave_out(params->user, mez_table_get(table, *row, 0), why);
    mez_table_remove_row(table, *row);
}

static mez_error filter_row(const mez_filter_params *params, const mez_target *target,
    mez_table *table, size_t column, size_t *row)
{
    const char *cell = mez_table_get(table, *row, column);
    mez_error error = mez_ok();
    mez_text why = {0};
    bool fits = true;
    if (*cell) {
        char *properties = mez_table_resolve(params->path, cell);
        error = properties ? judge_file(params, target, properties, &why, &fits)
                           : mez_error_no_memory("a property file's path");
        mez_free_memory(properties);
    }
    if (!mez_failed(error))
        settle(params, table, row, mez_text_get(&why), fits);
    mez_text_finish(&why);
    return error;
}

mez_error mez_filter_table(const mez_filter_params *params, mez_table *table)
{
    const size_t column = mez_table_find_column(table, MEZ_COLUMN_PROPERTIES);
    const mez_target *target;
    if (column == MEZ_NO_COLUMN)
        return mez_ok();
    MEZ_TRY(find_target(params, &target));
    for (size_t row = 0; row < table->rows;)
        MEZ_TRY(filter_row(params, target, table, column, &row));
    return mez_ok();
}

// --- A filtered table as programs get it

struct mez_filter {
    mez_bytes text;
};

static mez_error check_params(const mez_filter_params *params)
{
    MEZ_REQUIRE_OF("mez_filter_create", params, NULL);
    MEZ_REQUIRE_OF("mez_filter_create", params->path, NULL);
    MEZ_REQUIRE_OF("mez_filter_create", params->target, NULL);
    MEZ_TRY_RESERVED(mez_filter_params, params);
    return mez_ok();
}

static mez_error read_table(const mez_filter_params *params, mez_table *table)
{
    if (!params->text)
        return mez_table_load(params->path, table);
    return mez_table_read(params->text, params->text_size, params->path, table);
}

static mez_error write_text(const mez_table *table, mez_bytes *text)
{
    MEZ_TRY(mez_table_write(table, text));
    return text->failed ? mez_error_no_memory("the filtered table") : mez_ok();
}

static mez_error filter_table(const mez_filter_params *params, mez_bytes *text)
{
    mez_filter_params all = *params;
    mez_table table = {0};
    if (!all.targets)
        MEZ_TRY(mez_targets_get_default(&all.targets));
    mez_error error = read_table(&all, &table);
    if (!mez_failed(error))
        error = mez_filter_table(&all, &table);
    if (!mez_failed(error))
        error = write_text(&table, text);
    mez_table_finish(&table);
    return error;
}

mez_error mez_filter_create(const mez_filter_params *params, mez_filter **filter)
{
    MEZ_REQUIRE(filter, NULL);
    *filter = NULL;
    MEZ_TRY(check_params(params));
    mez_filter *made = mez_new(mez_filter);
    if (!made)
        return mez_error_no_memory("the filtered table");
    const mez_error error = filter_table(params, &made->text);
    if (mez_failed(error))
        mez_filter_destroy(&made);
    *filter = made;
    return error;
}

void mez_filter_destroy(mez_filter **filter)
{
    if (!filter)
        return;
    mez_filter *old = *filter;
    *filter = NULL;
    if (!old)
        return;
    mez_bytes_finish(&old->text);
    mez_free_memory(old);
}

const char *mez_filter_get_text(const mez_filter *filter, size_t *size)
{
    if (size)
        *size = filter ? filter->text.size : 0;
    return filter && filter->text.data ? (const char *)filter->text.data : "";
}

mez_error mez_filter_write(const mez_filter *filter, const char *path)
{
    MEZ_REQUIRE(filter, NULL);
    MEZ_REQUIRE(path, NULL);
    return mez_file_replace(path, filter->text.data, filter->text.size);
}
