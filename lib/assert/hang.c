// SPDX-License-Identifier: MIT

#include "assert/hang.h"

#include "assert/asserts.h"
#include "assert/deliver.h"
#include "assert/lane.h"
#include "assert/record.h"
#include "queue/give_up.h"
#include "queue/probe.h"

#define MOST_MODULES 16 // of one batch; others are left out

// What may be stuck, with the images referenced.
typedef struct suspects {
    mez_module *modules[MOST_MODULES];
    uint32_t count;
    mez_stuck stuck;
} suspects;

static void find_suspects(mez_queue *queue, suspects *suspects)
{
    suspects->count = 0;
    mez_lock_take(&queue->lock);
    if (queue->ops->find_stuck(queue, &suspects->stuck)) {
        const mez_probe *probe = suspects->stuck.probe;
        for (uint32_t i = 0; i < probe->module_count && i < MOST_MODULES; i++) {
            mez_image_ref(probe->modules[i]->image);
            suspects->modules[suspects->count++] = probe->modules[i];
        }
    }
    mez_lock_release(&queue->lock);
}

static mez_error deliver(
    mez_queue *queue, mez_module *module, const mez_stuck *stuck, const mez_assert_record *record)
{
    const mez_failed_assert failed = {
        .module = module,
        .queue = queue,
        .first_task = stuck->first_task,
        .last_task = stuck->last_task,
        .record = record,
    };
    mez_lock_take(&queue->lock);
    const mez_error error = mez_assert_deliver(&failed);
    mez_lock_release(&queue->lock);
    return mez_error_add(error, "hangs", "the task has not ended: the queue is given up");
}

static mez_error look_at(mez_queue *queue, mez_module *module, const mez_stuck *stuck)
{
    mez_assert_record record;
    const mez_error unread = mez_lane_read(module, &record);
    if (mez_failed(unread)) {
        mez_log(ASSERT, INFO,
            "\"%s\": the record of its asserts can't be read beside queue \"%s\": %s",
            module->image->name, queue->name, mez_error_message(unread));
        return mez_ok();
    }
    if (record.flag != MEZ_ASSERT_FAILED ||
        !mez_asserts_take(queue->platform->asserts, module, &record))
        return mez_ok();
    return deliver(queue, module, stuck, &record);
}

mez_error mez_assert_look_beside(mez_queue *queue)
{
    suspects suspects;
    mez_error error = mez_ok();
    find_suspects(queue, &suspects);
    for (uint32_t i = 0; i < suspects.count; i++) {
        if (!mez_failed(error))
            error = look_at(queue, suspects.modules[i], &suspects.stuck);
        mez_image_unref(suspects.modules[i]->image);
    }
    if (!mez_failed(error))
        return error;
    mez_queue_give_up(queue, error);
    mez_asserts_settle(queue->platform);
    return mez_queue_why_given_up(queue);
}
