// SPDX-License-Identifier: MIT

#include "container/offload_symbols.h"

#include <string.h>

#include "container/bits.h"
#include "container/table.h"

#define COUNT_SIZE 4
#define PLACE_SIZE 8

// Is it a table of names? Names by themselves begin with letters, which would be a count of a billion.
static bool is_table(const uint8_t *bytes, size_t size)
{
    if (size < COUNT_SIZE)
        return false;
    const uint64_t count = mez_read_u32(bytes), names = COUNT_SIZE + count * PLACE_SIZE;
    if (names > size || (count == 0 && size > COUNT_SIZE))
        return false;
    uint64_t total = names;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *place = bytes + COUNT_SIZE + i * PLACE_SIZE;
        const uint32_t offset = mez_read_u32(place), length = mez_read_u32(place + 4);
        total += (uint64_t)length + 1; // names that lie over each other would take long
        if (total > size || offset < names || !mez_range_fits(offset, (uint64_t)length + 1, size) ||
            memchr(bytes + offset, '\0', (size_t)length + 1) != bytes + offset + length)
            return false;
    }
    return true;
}

static mez_error read_table(const uint8_t *bytes, mez_symbols *names)
{
    const uint32_t count = mez_read_u32(bytes);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *place = bytes + COUNT_SIZE + i * PLACE_SIZE;
        MEZ_TRY(mez_symbols_add(
            names, (const char *)bytes + mez_read_u32(place), mez_read_u32(place + 4)));
    }
    return mez_ok();
}

static mez_error read_names(const uint8_t *bytes, size_t size, mez_symbols *names)
{
    while (size > 0) {
        const uint8_t *end = memchr(bytes, '\0', size);
        const size_t length = end ? (size_t)(end - bytes) : size;
        if (length > 0)
            MEZ_TRY(mez_symbols_add(names, (const char *)bytes, length));
        const size_t taken = end ? length + 1 : length;
        bytes += taken;
        size -= taken;
    }
    return mez_ok();
}

mez_error mez_binary_take_symbols(
    mez_bundle *bundle, mez_binary *binary, const void *bytes, size_t size)
{
    MEZ_TRY(mez_bundle_pay(bundle, &(mez_span){.source = binary->source}, size));
    mez_symbols names = {0};
    mez_error error =
        is_table(bytes, size) ? read_table(bytes, &names) : read_names(bytes, size, &names);
    if (!mez_failed(error))
        error =
            mez_binary_set_kernels(bundle, binary, (const char *const *)names.names, names.count);
    mez_symbols_finish(&names);
    return error;
}

void mez_binary_write_symbols(const mez_binary *binary, mez_bytes *bytes)
{
    uint32_t offset = (uint32_t)(COUNT_SIZE + binary->kernel_count * PLACE_SIZE);
    mez_bytes_add_u32(bytes, (uint32_t)binary->kernel_count);
    for (size_t i = 0; i < binary->kernel_count; i++) {
        const uint32_t length = (uint32_t)strlen(binary->kernels[i]);
        mez_bytes_add_u32(bytes, offset);
        mez_bytes_add_u32(bytes, length);
        offset += length + 1;
    }
    for (size_t i = 0; i < binary->kernel_count; i++)
        mez_bytes_add(bytes, binary->kernels[i], strlen(binary->kernels[i]) + 1);
}
