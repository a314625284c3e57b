// SPDX-License-Identifier: MIT
//
// Collecting many failures: the first of each assert in a place of its own, so that one that fails for every work-item does
// not hide the others.

#ifndef MEZ_DEVICELIB_COLLECT_H
#define MEZ_DEVICELIB_COLLECT_H

#include <mezzanine/assert_log.h>

#include "fill.h"

static uint count_one(global uint *counter)
{
    return atomic_fetch_add_explicit(
        (global atomic_uint *)counter, 1u, memory_order_relaxed, memory_scope_device);
}

// The compiler gives each text one address, so addresses tell asserts apart, of each launch; the multipliers are odd and spread their bits.
static uint key_of(const struct failure *failure)
{
    ulong mixed = (ulong)failure->expression * 0x9E3779B97F4A7C15ul;
    mixed = (mixed ^ mixed >> 29 ^ (ulong)failure->file) * 0xD6E8FEB86659FD93ul;
    mixed = (mixed ^ mixed >> 32 ^ (uint)failure->line) * 0xD6E8FEB86659FD93ul;
    mixed = (mixed ^ mixed >> 29 ^ failure->launch) * 0x9E3779B97F4A7C15ul;
    const uint key = (uint)(mixed >> 32);
    return key ? key : 1;
}

// Is the site this key's, or free and now this key's?
static bool claim(global struct mez_assert_site *site, uint key)
{
    uint found = 0;
    return atomic_compare_exchange_strong_explicit((global atomic_uint *)&site->key, &found, key,
               memory_order_relaxed, memory_order_relaxed, memory_scope_device) ||
           found == key;
}

// The index of the assert's site; MEZ_ASSERT_SITES: all are others'.
__attribute__((noinline)) static int find_site(global struct mez_assert_log *log, uint key)
{
#pragma nounroll
    for (int i = 0; i < MEZ_ASSERT_SITES; i++) {
        const int site = (int)((key + (uint)i) % MEZ_ASSERT_SITES);
        if (claim(&log->sites[site], key))
            return site;
    }
    return MEZ_ASSERT_SITES;
}

static global struct __SYCL_AssertHappened *take_record(global struct mez_assert_log *log, int site)
{
    if (site < MEZ_ASSERT_SITES && count_one(&log->sites[site].count) == 0)
        return &log->first[site];
    const uint taken = count_one(&log->taken);
    return taken < MEZ_ASSERT_MORE ? &log->more[taken] : 0;
}

static void collect(global struct mez_assert_log *log, const struct failure *failure)
{
    count_one(&log->total);
    global struct __SYCL_AssertHappened *record = take_record(log, find_site(log, key_of(failure)));
    if (!record)
        return;
    record->Serial = failure->launch;
    fill(record, failure);
}

#endif
