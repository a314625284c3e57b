// SPDX-License-Identifier: MIT

#include "assert/many.h"

#include <inttypes.h>
#include <string.h>

#include "assert/lane.h"
#include "assert/record.h"
#include "base/alloc.h"
#include "base/log.h"

static bool is_complete(const mez_assert_record *record)
{
    return record->flag == MEZ_ASSERT_FAILED;
}

// The same assert of the source.
static bool is_of_site(const mez_assert_record *record, const mez_assert_record *site)
{
    return record->line == site->line &&
           strncmp(record->file, site->file, sizeof record->file) == 0 &&
           strncmp(record->expression, site->expression, sizeof record->expression) == 0;
}

// The same work-item, too.
static bool is_same(const mez_assert_record *a, const mez_assert_record *b)
{
    return is_of_site(a, b) && memcmp(a->global_id, b->global_id, sizeof a->global_id) == 0;
}

// The first failure stands in the log, too.
static void add(mez_many_asserts *many, const mez_assert_record *record, uint32_t limit)
{
    if (many->count < limit && is_complete(record) && !is_same(record, &many->records[0]))
        many->records[many->count++] = *record;
}

static void collect(mez_many_asserts *many, const mez_assert_record *first, uint32_t limit)
{
    const mez_assert_log *log = many->log;
    many->records[many->count++] = *first;
    for (uint32_t i = 0; i < MEZ_ASSERT_SITES; i++)
        add(many, &log->first[i], limit);
    for (uint32_t i = 0; i < MEZ_ASSERT_MORE; i++)
        add(many, &log->more[i], limit);
    many->total = log->total > many->count ? log->total : (uint32_t)many->count;
}

static mez_error read_log(const mez_module *module, uint32_t limit, mez_many_asserts *many)
{
    many->log = mez_new(mez_assert_log);
    many->records = mez_alloc_array(limit, sizeof *many->records);
    if (!many->log || !many->records)
        return mez_error_no_memory("a list of failed asserts");
    return mez_lane_read(module, module->assert_log, many->log, sizeof *many->log);
}

void mez_many_asserts_read(const mez_module *module, const mez_assert_record *first, uint32_t limit,
    mez_many_asserts *many)
{
    *many = (mez_many_asserts){0};
    const mez_error error = read_log(module, limit, many);
    if (mez_failed(error))
        mez_log_error(MEZ_TOPIC_ASSERT, error);
    else
        collect(many, first, limit);
}

void mez_many_asserts_finish(mez_many_asserts *many)
{
    mez_free_memory(many->log);
    mez_free_memory(many->records);
}

static void add_work_items(mez_text *text, uint32_t count)
{
    mez_text_add(text, "%" PRIu32 " work-item%s", count, count == 1 ? "" : "s");
}

static void add_ids(const mez_many_asserts *many, const mez_assert_record *site, mez_text *text)
{
    const char *before = ": ";
    for (size_t i = 0; i < many->count; i++) {
        const uint64_t *id = many->records[i].global_id;
        if (!is_of_site(&many->records[i], site))
            continue;
        mez_text_add(text, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", before, id[0], id[1], id[2]);
        before = ", ";
    }
}

static void add_site(
    const mez_many_asserts *many, const mez_assert_record *site, uint32_t count, mez_text *text)
{
    mez_text_add(text, "\n%.*s:%" PRId32 ": %.*s: `%.*s`: ", (int)sizeof site->file - 1, site->file,
        site->line, (int)sizeof site->function - 1, site->function,
        (int)sizeof site->expression - 1, site->expression);
    add_work_items(text, count);
    add_ids(many, site, text);
}

void mez_many_asserts_describe(const mez_many_asserts *many, mez_text *text)
{
    add_work_items(text, many->total);
    mez_text_add(text, " failed");
    for (uint32_t i = 0; i < MEZ_ASSERT_SITES; i++)
        if (is_complete(&many->log->first[i]))
            add_site(many, &many->log->first[i], many->log->sites[i].count, text);
}
