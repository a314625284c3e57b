// SPDX-License-Identifier: MIT
//
// The store of failed asserts.
#include "assert.h"

#include "check.h"
#include "device.h"
#include "event.h"
#include "own.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ze_newer.h>

#define STORE_SIZE (64u << 10)
#define CAPACITY (STORE_SIZE / sizeof(struct zc_assert_record))

struct ring {
    struct zc_assert_record records[CAPACITY];
    size_t first, count;
};

static struct {
    pthread_mutex_t lock;              // guards what follows
    struct ring rings[ZC_MAX_DEVICES]; // of each device, by its index
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static void fill(struct zc_assert_record *record, const struct zc_assert *assert)
{
    *record = (struct zc_assert_record){.flag = ZC_ASSERT_RECORD_COMPLETE, .line = assert->line};
    copy_text(record->expression, sizeof record->expression, assert->expression);
    copy_text(record->file, sizeof record->file, assert->file);
    copy_text(record->function, sizeof record->function, assert->function);
    memcpy(record->global_id, assert->global_id, sizeof record->global_id);
    memcpy(record->local_id, assert->local_id, sizeof record->local_id);
}

// Who cancels the kernel sends SIGSEGV to this thread, which is not to be left while it has the lock.
static void store_record(struct ring *ring, const struct zc_assert_record *record)
{
    sigset_t cancelling, before;
    sigemptyset(&cancelling);
    sigaddset(&cancelling, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &cancelling, &before);
    pthread_mutex_lock(&store.lock);
    if (ring->count < CAPACITY)
        ring->records[(ring->first + ring->count++) % CAPACITY] = *record;
    pthread_mutex_unlock(&store.lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void keep(struct zc_assert_listener *listener, const struct zc_assert *assert)
{
    struct zc_launch_asserts *asserts = (void *)listener;
    struct zc_assert_record record;
    fill(&record, assert); // the kernel's texts may be anywhere, also where they fault
    store_record(&store.rings[asserts->device->index], &record);
    atomic_store(&asserts->failed, true);
}

void zc_launch_asserts_init(struct zc_launch_asserts *asserts, ze_device_handle_t device)
{
    asserts->device = device;
    asserts->listener.failed = keep;
    atomic_init(&asserts->failed, false);
}

// Oldest first. False: there is none.
static bool take(struct ring *ring, struct zc_assert_record *record)
{
    pthread_mutex_lock(&store.lock);
    const bool found = ring->count > 0;
    if (found) {
        *record = ring->records[ring->first];
        ring->first = (ring->first + 1) % CAPACITY;
        ring->count--;
    }
    pthread_mutex_unlock(&store.lock);
    return found;
}

// Of all devices, one after the other.
static bool take_any(struct zc_assert_record *record)
{
    for (size_t i = 0; i < ZC_MAX_DEVICES; i++)
        if (take(&store.rings[i], record))
            return true;
    return false;
}

static const char *or_unknown(const char *text, const char *unknown)
{
    return *text ? text : unknown;
}

static void print(const struct zc_assert_record *record)
{
    const uint64_t *global = record->global_id, *local = record->local_id;
    fprintf(stderr,
        "%s:%" PRId32 ": %s: global id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "], local id: [%" PRIu64
        ",%" PRIu64 ",%" PRIu64 "] Assertion `%s` failed.\n",
        or_unknown(record->file, "<unknown file>"), record->line,
        or_unknown(record->function, "<unknown func>"), global[0], global[1], global[2], local[0],
        local[1], local[2], or_unknown(record->expression, "<unknown expr>"));
}

static void abort_with(struct zc_assert_record *record)
{
    do
        print(record);
    while (take_any(record));
    fflush(stderr);
    abort();
}

// Held by whoever looks, until the process has ended: nobody whose kernel failed may come back from
// waiting while another thread is still printing.
static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

// `news` may be NULL: there may be some.
static void abort_on(atomic_bool *news)
{
    struct zc_assert_record record;
    pthread_mutex_lock(&looking);
    if ((!news || atomic_exchange(news, false)) && take_any(&record))
        abort_with(&record);
    pthread_mutex_unlock(&looking);
}

void zc_assert_abort_on_any(void)
{
    if (zc_settings.asserts == ZC_ASSERTS_ABORT)
        abort_on(NULL);
}

// Who aborts looks at the stores of all devices, whichever kernel filled them: that one of those
// it waited for might have done so is reason enough.
void zc_assert_note_launch(
    struct zc_assert_news *news, ze_event_handle_t signal, const struct zc_launch_asserts *asserts)
{
    if (zc_settings.asserts != ZC_ASSERTS_ABORT && !atomic_load(&asserts->failed))
        return;
    atomic_store(&news->for_waiter, true);
    atomic_store(&news->for_fence, true);
    if (signal && !signal->shared) // another process could take it away, and has no record
        atomic_store(&signal->assert_news, true);
}

void zc_assert_note_fence(struct zc_assert_news *news, ze_event_handle_t fence)
{
    if (atomic_exchange(&news->for_fence, false))
        atomic_store(&fence->assert_news, true);
}

ze_result_t zc_assert_report(ze_result_t result, atomic_bool *news)
{
    if (result != ZE_RESULT_SUCCESS || zc_settings.asserts == ZC_ASSERTS_NONE)
        return result;
    if (zc_settings.asserts == ZC_ASSERTS_CODE)
        return atomic_exchange(news, false) ? ZE_NEWER_INTEL_RESULT_ASSERT_FAILED : result;
    abort_on(news);
    return result;
}

ze_result_t zc_get_assert_record(ze_device_handle_t device, void *record, size_t size)
    ZC_ENTRY_POINT(zeCpuGetAssertRecord);

ze_result_t zc_get_assert_record(ze_device_handle_t device, void *record, size_t size)
{
    struct zc_assert_record oldest;
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(record);
    ZC_REQUIRE(size >= sizeof oldest, ZE_RESULT_ERROR_INVALID_SIZE);
    if (!take(&store.rings[device->index], &oldest))
        return ZE_RESULT_NOT_READY;
    memcpy(record, &oldest, sizeof oldest);
    return ZE_RESULT_SUCCESS;
}
