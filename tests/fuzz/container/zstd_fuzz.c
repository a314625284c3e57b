// SPDX-License-Identifier: MIT
//
// Fuzz target of unpacking: never more than the limit, and what is packed again unpacks to the same.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "container/zstd.h"

#define LIMIT ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void pack_again(const mez_bytes *unpacked)
{
    bool is_larger;
    mez_bytes packed = {0}, again = {0};
    require(!mez_failed(mez_zstd_pack(unpacked->data, unpacked->size, &packed)));
    require(
        !mez_failed(mez_zstd_unpack(packed.data, packed.size, LIMIT, "again", &again, &is_larger)));
    require(again.size == unpacked->size && memcmp(again.data, unpacked->data, again.size) == 0);
    mez_bytes_finish(&packed);
    mez_bytes_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    bool is_larger;
    mez_bytes unpacked = {0};
    const mez_error error = mez_zstd_unpack(bytes, size, LIMIT, "fuzz", &unpacked, &is_larger);
    require(unpacked.size <= LIMIT && (!is_larger || mez_failed(error)));
    if (!mez_failed(error))
        pack_again(&unpacked);
    mez_bytes_finish(&unpacked);
    return 0;
}
