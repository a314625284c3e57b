// SPDX-License-Identifier: MIT
//
// A filtered table as programs get it.

#include <mezzanine/filter.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/reserved.h"
#include "filter/filter.h"

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
