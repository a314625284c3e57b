// SPDX-License-Identifier: MIT

#include "assert/assert.h"

#include <stdlib.h>

#include "assert/record.h"

static mez_module *module_of(const mez_batch *batch, uint32_t index)
{
    return batch->modules.items[index];
}

static void free_records(mez_batch *batch)
{
    ZE_LOGGED(zeMemFree, batch->queue->platform->ze, batch->records);
    batch->records = NULL;
    batch->record_capacity = 0;
}

// USM host memory: copies to plain memory are done by the CPU inside the append on some drivers, which blocks (facts: 1.7).
static mez_error reserve_records(mez_batch *batch)
{
    const uint32_t count = batch->modules.count;
    if (count <= batch->record_capacity)
        return mez_ok();
    if (batch->records)
        free_records(batch);
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    MEZ_TRY(ZE(zeMemAllocHost, batch->queue->platform->ze, &description,
        count * sizeof(mez_assert_record), 0, &batch->records));
    batch->record_capacity = count;
    return mez_ok();
}

static mez_error append_copies(mez_batch *batch)
{
    mez_assert_record *records = batch->records;
    MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, NULL, 0, NULL));
    for (uint32_t i = 0; i < batch->modules.count; i++) {
        records[i].flag = MEZ_ASSERT_NONE;
        MEZ_TRY(ZE(zeCommandListAppendMemoryCopy, batch->list, &records[i],
            module_of(batch, i)->assert_record, sizeof records[i], NULL, 0, NULL));
    }
    return mez_ok();
}

static mez_error closing(mez_batch *batch)
{
    mez_error error = reserve_records(batch);
    if (!mez_failed(error))
        error = append_copies(batch);
    return mez_failed(error)
               ? mez_error_headline(error, "failed asserts can't be brought to the host")
               : error;
}

// The default policy, which the user chose by compiling without NDEBUG: the message, then abort().
static void deliver(const mez_assert_record *record)
{
    mez_text line = {0};
    mez_assert_format(record, &line);
    fflush(stdout);
    fputs(mez_text_get(&line), stderr);
    fflush(stderr);
    abort();
}

static mez_error broken_record(const mez_module *module, int32_t flag)
{
    return mez_error_make(MEZ_ERRC_UNKNOWN,
        "\"%s\" has finished on device \"%s\" with an assert record in state %d: the device's "
        "atomics do not work",
        module->image->name, module->device->info.name, (int)flag);
}

static mez_error retiring(mez_batch *batch)
{
    const mez_assert_record *records = batch->records;
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < batch->modules.count; i++) {
        if (records[i].flag == MEZ_ASSERT_FAILED)
            deliver(&records[i]);
        else if (records[i].flag != MEZ_ASSERT_NONE && !mez_failed(error))
            error = broken_record(module_of(batch, i), records[i].flag);
    }
    return error;
}

const mez_batch_hooks mez_assert_hooks = {
    .closing = closing,
    .retiring = retiring,
    .freeing = free_records,
};
