// SPDX-License-Identifier: MIT
//
// libmezzanine-register: takes the calls by which compiled programs register their device images, and keeps a list.

#include <mezzanine/register.h>

#include <pthread.h>

#include "base/log.h"
#include "base/process.h"
#include "base/vector.h"
#include "container/descriptor.h"

typedef struct registration {
    mez_registered record;
    mez_bundle *bundle; // what has been read of it; NULL: nothing yet
} registration;

// Constructors call before main, so that all of this is ready from the first instruction on; and as destructors may call after all
// others, nothing here is ever torn down.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static MEZ_VECTOR(registration) registered;
static uint64_t last_number;

MEZ_FREE_AT_FORK(lock, MEZ_FORK_OUTER)

static void add(mez_registered record)
{
    pthread_mutex_lock(&lock);
    record.number = last_number + 1;
    const bool room = mez_vector_push(&registered, (registration){.record = record});
    last_number += room;
    pthread_mutex_unlock(&lock);
    if (!room)
        mez_log(IMAGE, ERROR, "no memory to register device images at %p", record.start);
}

static void take_out(size_t place)
{
    mez_bundle_destroy(&registered.items[place].bundle);
    mez_vector_remove(&registered, place);
}

// --- What programs call

// Two compilers call it: DPC++ with a descriptor alone, so that the second argument is whatever stands in its register, and clang with
// the start of an offload binary and its size, or its end.
MEZ_API void __sycl_register_lib(const void *start, uintptr_t size_or_end);
MEZ_API void __sycl_unregister_lib(const void *start, uintptr_t size_or_end);

void __sycl_register_lib(const void *start, uintptr_t size_or_end)
{
    if (!start)
        return;
    mez_registered record = {.form = MEZ_REGISTERED_DESCRIPTOR, .start = start};
    switch (mez_registration_recognise(start)) {
    case MEZ_REGISTRATION_DESCRIPTOR:
        add(record);
        break;
    case MEZ_REGISTRATION_OFFLOAD:
        record.form = MEZ_REGISTERED_OFFLOAD;
        record.size = mez_offload_registered_size(start, size_or_end);
        if (record.size > 0) {
            add(record);
            break;
        }
        // fall through
    default:
        mez_log(IMAGE, ERROR, "device images of an unknown form are registered at %p", start);
        break;
    }
}

// The newest of those at that address: libraries may be opened again at the same place.
void __sycl_unregister_lib(const void *start, uintptr_t size_or_end)
{
    (void)size_or_end;
    pthread_mutex_lock(&lock);
    for (size_t i = registered.count; i > 0; i--)
        if (registered.items[i - 1].record.start == start) {
            take_out(i - 1);
            break;
        }
    pthread_mutex_unlock(&lock);
}

// --- What can be asked

size_t mez_registered_list(mez_registered *records, size_t room)
{
    pthread_mutex_lock(&lock);
    const size_t all = registered.count;
    for (size_t i = 0; i < all && i < room; i++)
        records[i] = registered.items[i].record;
    pthread_mutex_unlock(&lock);
    return all;
}

static mez_error read_bundle(const mez_registered *record, mez_bundle **bundle)
{
    return record->form == MEZ_REGISTERED_DESCRIPTOR
               ? mez_bundle_from_descriptor(record->start, bundle)
               : mez_bundle_read(record->start, record->size, "registered images", bundle);
}

static bool names_kernel(registration *it, const char *kernel)
{
    if (!it->bundle) {
        const mez_error error = read_bundle(&it->record, &it->bundle);
        if (mez_failed(error)) {
            mez_log_error(MEZ_TOPIC_IMAGE, error);
            return false;
        }
    }
    for (size_t i = 0; i < it->bundle->count; i++)
        if (mez_binary_has_kernel(&it->bundle->binaries[i], kernel))
            return true;
    return false;
}

bool mez_registered_find(const char *kernel, mez_registered *record)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = registered.count; i > 0 && !found; i--) {
        found = names_kernel(&registered.items[i - 1], kernel);
        if (found)
            *record = registered.items[i - 1].record;
    }
    pthread_mutex_unlock(&lock);
    return found;
}
