// SPDX-License-Identifier: MIT

#include "assert/asserts.h"

#include <inttypes.h>
#include <string.h>

#include "assert/report.h"
#include "base/alloc.h"
#include "base/list.h"
#include "base/log.h"
#include "queue/queue.h"
#include "ze/wait.h"

// --- Tasks of the library's own
//
// On the record of a module, beside everything that runs: each on a queue that is made for it, on the engine that only copies where
// there is one. They wait for the device, for a second at most: what hangs may keep the engine.

#define PATIENCE 1000000000u // ns

static mez_error open_queue(const mez_module *module, mez_queue **queue)
{
    mez_device *device = module->device;
    const bool copies = device->copy.queues > 0;
    return mez_queue_create_hidden(
        device->platform, device, copies ? &device->copy : &device->compute, "asserts", queue);
}

static mez_error run(mez_queue *queue, mez_command *command)
{
    MEZ_TRY(mez_queue_submit_task(queue, command, NULL));
    return mez_queue_wait_quietly(queue, PATIENCE);
}

// One that hangs is in use by the device, and stays as it is.
static void close_queue(mez_queue *queue, mez_error outcome)
{
    if (!mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
        mez_queue_destroy_hidden(queue);
}

static mez_error run_once(const mez_module *module, mez_command *command)
{
    mez_queue *queue;
    MEZ_TRY(open_queue(module, &queue));
    const mez_error outcome = run(queue, command);
    close_queue(queue, outcome);
    return outcome;
}

static mez_error zero(const mez_module *module, void *variable, size_t size)
{
    static const char nothing = 0; // the narrowest pattern: some engines take no other
    mez_command command = {.kind = MEZ_COMMAND_FILL};
    command.fill.to = variable;
    command.fill.pattern = &nothing;
    command.fill.pattern_size = sizeof nothing;
    command.fill.size = size;
    return run_once(module, &command);
}

// The flag comes last: with it the next failure gets the record.
static mez_error clear_on_device(const mez_module *module)
{
    if (module->assert_log)
        MEZ_TRY(zero(module, module->assert_log, sizeof(mez_assert_log)));
    return zero(module, module->assert_record, sizeof((mez_assert_record *)0)->flag);
}

// Through USM host memory: copies to plain memory may wait for everything before them (docs/internals/drivers.md#memory).
static mez_error copy_out(
    const mez_module *module, const void *variable, void *to, size_t size, void *memory)
{
    mez_command command = {.kind = MEZ_COMMAND_COPY};
    command.copy.to = memory;
    command.copy.from = variable;
    command.copy.size = size;
    MEZ_TRY(run_once(module, &command));
    memcpy(to, memory, size);
    return mez_ok();
}

mez_error mez_read_from_device(
    const mez_module *module, const void *variable, void *to, size_t size)
{
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    mez_platform *platform = module->device->platform;
    void *memory;
    MEZ_TRY(ZE(zeMemAllocHost, platform->ze, &description, size, 0, &memory));
    const mez_error error = copy_out(module, variable, to, size, memory);
    if (!mez_error_is(error, MEZ_ERRC_TIMEOUT)) // else the device may still write there
        ZE_LOGGED(zeMemFree, platform->ze, memory);
    return error;
}

// --- Modules whose record is to be cleared

#define LONGEST_WRITING 1000000000u // ns

struct mez_asserts *mez_asserts_create(void)
{
    struct mez_asserts *asserts = mez_new(struct mez_asserts);
    if (!asserts)
        return NULL;
    pthread_mutex_init(&asserts->lock, NULL);
    pthread_mutex_init(&asserts->clearing, NULL);
    return asserts;
}

void mez_asserts_destroy(struct mez_asserts *asserts)
{
    if (!asserts)
        return;
    pthread_mutex_destroy(&asserts->clearing);
    pthread_mutex_destroy(&asserts->lock);
    mez_free_memory(asserts);
}

// Several copies may have been made before it was cleared, and one of them may be seen when a later failure has been reported: only a
// failure that was taken is cleared, so all up to the last one have been. Of a library that does not count, a copy made before and seen
// after passes for a new failure. The caller holds the lock.
static bool is_known(const mez_assert_slot *slot, const mez_assert_record *record)
{
    if (record->serial > 0)
        return (int32_t)(record->serial - slot->reported.serial) <= 0;
    return slot->dirty && memcmp(&slot->reported, record, sizeof *record) == 0;
}

bool mez_asserts_take(
    struct mez_asserts *asserts, mez_module *module, const mez_assert_record *record)
{
    mez_assert_slot *slot = &module->assert_slot;
    pthread_mutex_lock(&asserts->lock);
    const bool taken = !is_known(slot, record);
    if (taken)
        slot->reported = *record;
    pthread_mutex_unlock(&asserts->lock);
    return taken;
}

// Into the list, unless it is there. The caller holds the lock.
static void enlist(struct mez_asserts *asserts, mez_module *module)
{
    mez_assert_slot *slot = &module->assert_slot;
    if (slot->dirty || slot->doubted)
        return;
    mez_list_push(&asserts->dirty, module, assert_slot.next);
    mez_image_ref(module->image);
    atomic_fetch_add_explicit(&asserts->dirty_count, 1, memory_order_relaxed);
}

void mez_asserts_mark(struct mez_asserts *asserts, mez_module *module,
    const mez_assert_params *params, mez_error error)
{
    mez_assert_slot *slot = &module->assert_slot;
    pthread_mutex_lock(&asserts->lock);
    enlist(asserts, module);
    if (!slot->dirty) {
        slot->dirty = true;
        slot->error = mez_error_retain(error);
        slot->limit = params->limit;
        slot->prints = params->policy == MEZ_ASSERT_ERROR;
    }
    pthread_mutex_unlock(&asserts->lock);
}

void mez_asserts_doubt(struct mez_asserts *asserts, mez_module *module)
{
    mez_assert_slot *slot = &module->assert_slot;
    pthread_mutex_lock(&asserts->lock);
    if (!slot->broken) {
        enlist(asserts, module);
        slot->doubted = true;
    }
    pthread_mutex_unlock(&asserts->lock);
}

// Out of the list; *slot is what was noted of it.
static mez_module *next_dirty(struct mez_asserts *asserts, mez_assert_slot *slot)
{
    pthread_mutex_lock(&asserts->lock);
    mez_module *module;
    if (mez_list_pop(&asserts->dirty, module, assert_slot.next)) {
        *slot = module->assert_slot;
        module->assert_slot.dirty = module->assert_slot.doubted = false;
    }
    pthread_mutex_unlock(&asserts->lock);
    return module;
}

static void report_others(const mez_assert_slot *slot, const mez_many_asserts *many)
{
    mez_text text = {0};
    mez_many_asserts_describe(many, &text);
    mez_error_add(slot->error, "failures", "%-s", mez_text_get(&text));
    mez_collection_attach(slot->error, many->total, many->records, many->count);
    if (slot->prints) {
        fprintf(stderr, "%s\n", mez_text_get(&text));
        fflush(stderr);
    }
    mez_text_finish(&text);
}

static void add_others(const mez_module *module, const mez_assert_slot *slot)
{
    mez_many_asserts many;
    mez_many_asserts_read(module, &slot->reported, slot->limit, &many);
    if (many.count > 0)
        report_others(slot, &many);
    mez_many_asserts_finish(&many);
}

// A failed read is not reported; what follows on the device will fail, too.
static bool is_half_written(const mez_module *module)
{
    mez_assert_record record;
    const mez_error error =
        mez_read_from_device(module, module->assert_record, &record, sizeof record);
    return !mez_failed(error) && record.flag != MEZ_ASSERT_NONE && record.flag != MEZ_ASSERT_FAILED;
}

// Reading takes its turn on the device, which is pause enough between two looks.
static bool stays_half_written(const mez_module *module)
{
    const mez_deadline deadline = mez_deadline_after(LONGEST_WRITING);
    do {
        if (!is_half_written(module))
            return false;
    } while (mez_time_now() < deadline);
    return true;
}

// False: it has been noted before.
static bool note_broken(struct mez_asserts *asserts, mez_module *module)
{
    pthread_mutex_lock(&asserts->lock);
    const bool first = !module->assert_slot.broken;
    module->assert_slot.broken = true;
    pthread_mutex_unlock(&asserts->lock);
    return first;
}

static void look_again(struct mez_asserts *asserts, mez_module *module)
{
    if (!stays_half_written(module) || !note_broken(asserts, module))
        return;
    mez_log_error(
        MEZ_TOPIC_ASSERT, mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
                              "\"%s\" left a half-written assert record on device \"%s\": the "
                              "device's atomics do not work, or the work-item that writes it "
                              "hangs; further failed asserts of the image may not be reported",
                              module->image->name, module->device->info.name));
}

static void clear(mez_module *module, const mez_assert_slot *slot)
{
    if (module->assert_log && slot->limit > 1)
        add_others(module, slot);
    mez_error_release(slot->error);
    const mez_error error = clear_on_device(module);
    if (mez_failed(error))
        mez_log_error(MEZ_TOPIC_ASSERT, mez_error_headline(error,
                                            "the record of a failed assert in \"%s\" can't be "
                                            "cleared: its further failures are not reported",
                                            module->image->name));
}

// One that is dirty has been written to the end since.
static void settle(struct mez_asserts *asserts, mez_module *module, const mez_assert_slot *slot)
{
    if (slot->dirty)
        clear(module, slot);
    else
        look_again(asserts, module);
    atomic_fetch_sub_explicit(&asserts->dirty_count, 1, memory_order_release);
    mez_image_unref(module->image);
}

void mez_asserts_settle(mez_platform *platform)
{
    struct mez_asserts *asserts = platform->asserts;
    if (atomic_load_explicit(&asserts->dirty_count, memory_order_acquire) == 0)
        return;
    pthread_mutex_lock(&asserts->clearing);
    mez_assert_slot slot;
    for (mez_module *module; (module = next_dirty(asserts, &slot));)
        settle(asserts, module, &slot);
    pthread_mutex_unlock(&asserts->clearing);
}

// --- The failures of a module that collects many

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

// Where several work-items fail at once, the first in the log need not be `first`. Those of other asserts come before one of its own.
static void add_sites(
    mez_many_asserts *many, const mez_assert_record *first, bool own, uint32_t limit)
{
    const mez_assert_record *records = many->log->first;
    for (uint32_t i = 0; i < MEZ_ASSERT_SITES; i++)
        if (is_of_site(&records[i], first) == own)
            add(many, &records[i], limit);
}

static void collect(mez_many_asserts *many, const mez_assert_record *first, uint32_t limit)
{
    const mez_assert_log *log = many->log;
    many->records[many->count++] = *first;
    add_sites(many, first, false, limit);
    add_sites(many, first, true, limit);
    for (uint32_t i = 0; i < MEZ_ASSERT_MORE; i++)
        add(many, &log->more[i], limit);
    many->total = log->total > many->count ? log->total : (uint32_t)many->count;
}

static mez_error make_log(uint32_t limit, mez_many_asserts *many)
{
    many->log = mez_new(mez_assert_log);
    many->records = mez_alloc_array(limit, sizeof *many->records);
    return many->log && many->records ? mez_ok() : mez_error_no_memory("a list of failed asserts");
}

static mez_error read_log(const mez_module *module, uint32_t limit, mez_many_asserts *many)
{
    MEZ_TRY(make_log(limit, many));
    return mez_read_from_device(module, module->assert_log, many->log, sizeof *many->log);
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

// The device may be writing for other launches.
static void copy_of_launch(const mez_assert_record *from, uint32_t launch, mez_assert_record *to)
{
    if (__atomic_load_n(&from->flag, __ATOMIC_ACQUIRE) == MEZ_ASSERT_FAILED &&
        from->serial == launch)
        *to = *from;
}

static void copy_log(const mez_assert_mailbox *mailbox, uint32_t launch, mez_assert_log *log)
{
    log->total = __atomic_load_n(&mailbox->failures[launch], __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < MEZ_ASSERT_SITES; i++) {
        log->sites[i].count = __atomic_load_n(&mailbox->log.sites[i].count, __ATOMIC_RELAXED);
        copy_of_launch(&mailbox->log.first[i], launch, &log->first[i]);
    }
    for (uint32_t i = 0; i < MEZ_ASSERT_MORE; i++)
        copy_of_launch(&mailbox->log.more[i], launch, &log->more[i]);
}

void mez_many_asserts_of_launch(const mez_assert_mailbox *mailbox, uint32_t launch,
    const mez_assert_record *first, uint32_t limit, mez_many_asserts *many)
{
    *many = (mez_many_asserts){0};
    const mez_error error = make_log(limit, many);
    if (mez_failed(error)) {
        mez_log_error(MEZ_TOPIC_ASSERT, error);
        return;
    }
    copy_log(mailbox, launch, many->log);
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
