// SPDX-License-Identifier: MIT

#include "assert/assert.h"

#include <stdlib.h>

#include "assert/record.h"

static void free_records(mez_probe *probe)
{
    ZE_LOGGED(zeMemFree, probe->platform->ze, probe->records);
    probe->records = NULL;
    probe->record_capacity = 0;
}

// USM host memory: copies to plain memory are done by the CPU inside the append on some drivers, which blocks (facts: 1.7).
static mez_error reserve_records(mez_probe *probe)
{
    const uint32_t count = probe->module_count;
    if (count <= probe->record_capacity)
        return mez_ok();
    if (probe->records)
        free_records(probe);
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    MEZ_TRY(ZE(zeMemAllocHost, probe->platform->ze, &description, count * sizeof(mez_assert_record),
        0, &probe->records));
    probe->record_capacity = count;
    return mez_ok();
}

static mez_error append_copies(mez_probe *probe, ze_command_list_handle_t list)
{
    mez_assert_record *records = probe->records;
    MEZ_TRY(ZE(zeCommandListAppendBarrier, list, NULL, 0, NULL));
    for (uint32_t i = 0; i < probe->module_count; i++) {
        records[i].flag = MEZ_ASSERT_NONE;
        MEZ_TRY(ZE(zeCommandListAppendMemoryCopy, list, &records[i],
            probe->modules[i]->assert_record, sizeof records[i], NULL, 0, NULL));
    }
    return mez_ok();
}

static mez_error append(mez_probe *probe, ze_command_list_handle_t list)
{
    mez_error error = reserve_records(probe);
    if (!mez_failed(error))
        error = append_copies(probe, list);
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

static mez_error look(mez_probe *probe)
{
    const mez_assert_record *records = probe->records;
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < probe->module_count; i++) {
        if (records[i].flag == MEZ_ASSERT_FAILED)
            deliver(&records[i]);
        else if (records[i].flag != MEZ_ASSERT_NONE && !mez_failed(error))
            error = broken_record(probe->modules[i], records[i].flag);
    }
    return error;
}

const mez_probe_hooks mez_assert_hooks = {
    .append = append,
    .look = look,
    .finish = free_records,
};
