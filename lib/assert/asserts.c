// SPDX-License-Identifier: MIT

#include "assert/asserts.h"

#include <string.h>

#include "assert/collection.h"
#include "assert/lane.h"
#include "assert/many.h"
#include "assert/record.h"
#include "base/alloc.h"
#include "ze/wait.h"

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

// Several copies may have been made before it was cleared. Of a library that does not count, a copy made before and seen after
// passes for a new failure. The caller holds the lock.
static bool is_known(const mez_assert_slot *slot, const mez_assert_record *record)
{
    if (record->serial > 0)
        return record->serial == slot->reported.serial;
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
    slot->next = asserts->dirty;
    asserts->dirty = module;
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
    mez_module *module = asserts->dirty;
    if (module) {
        *slot = module->assert_slot;
        asserts->dirty = slot->next;
        module->assert_slot.dirty = module->assert_slot.doubted = false;
    }
    pthread_mutex_unlock(&asserts->lock);
    return module;
}

static void tell_of_others(const mez_assert_slot *slot, const mez_many_asserts *many)
{
    mez_text text = {0};
    mez_many_asserts_describe(many, &text);
    mez_error_add(slot->error, "failures", "%s", mez_text_get(&text));
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
        tell_of_others(slot, &many);
    mez_many_asserts_finish(&many);
}

// A failed read tells nothing; what follows on the device will fail, too.
static bool is_half_written(const mez_module *module)
{
    mez_assert_record record;
    const mez_error error = mez_lane_read(module, module->assert_record, &record, sizeof record);
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
    mez_log_error(MEZ_TOPIC_ASSERT,
        mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "\"%s\" has left an assert record half written on device \"%s\": the device's atomics "
            "do not work, or its writer hangs; failed asserts of the image may stay untold",
            module->image->name, module->device->info.name));
}

static void clear(mez_module *module, const mez_assert_slot *slot)
{
    if (module->assert_log && slot->limit > 1)
        add_others(module, slot);
    mez_error_release(slot->error);
    const mez_error error = mez_lane_clear(module);
    if (mez_failed(error))
        mez_log_error(
            MEZ_TOPIC_ASSERT, mez_error_headline(error,
                                  "the record of a failed assert in \"%s\" can't be cleared: "
                                  "its next failures are not told of",
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
