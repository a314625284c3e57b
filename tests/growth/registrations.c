// SPDX-License-Identifier: MIT
//
// A record for each registration stands in an array of the program's.

#include "growth.h"

#include <mezzanine/register.h>

// As compilers declare it.
void __sycl_register_lib(const void *start, uintptr_t size_or_end);
void __sycl_unregister_lib(const void *start, uintptr_t size_or_end);

// What it begins with is all that is read of it here: the magic number, the version, and the size.
typedef struct offload {
    unsigned char magic[4];
    uint32_t version;
    uint64_t size;
} offload;

typedef mez_registered two_records[2];

void use_registrations(void)
{
    static const offload images[2] = {{{0x10, 0xff, 0x10, 0xad}, 1, sizeof(offload)},
        {{0x10, 0xff, 0x10, 0xad}, 1, sizeof(offload)}};
    GUARDED(two_records) records;
    for (int i = 0; i < 2; i++)
        __sycl_register_lib(&images[i], sizeof images[i]);
    memset(&records, GUARD, sizeof records);
    check(mez_registered_list(records.it, 2) == 2, "two registrations");
    for (int i = 0; i < 2; i++) {
        check(records.it[i].start == &images[i], "the start of an image");
        check(records.it[i].size == sizeof images[i], "the size of an image");
        CHECK_FILLED(mez_registered, records.it[i]);
    }
    check_guard(records.guard, "mez_registered");
    for (int i = 0; i < 2; i++)
        __sycl_unregister_lib(&images[i], sizeof images[i]);
}
