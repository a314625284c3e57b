// SPDX-License-Identifier: MIT
//
// Fuzz target of containers: whatever the bytes, a reader refuses them or gives a bundle that can be used, and written; what was
// written reads the same. MEZ_FUZZ_READER is the reader; without it the bytes decide.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "container/bundle.h"
#include "container/device_requirements.h"
#include "container/offload.h"
#include "container/syclbin.h"
#include "../../unit/container/write_offload.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

// Every byte of the code is there.
static unsigned use_code(const mez_binary *binary)
{
    unsigned sum = 0;
    for (size_t i = 0; i < binary->code_size; i++)
        sum += binary->code[i];
    return sum;
}

static void use(mez_bundle *bundle, mez_binary *binary)
{
    (void)mez_binary_unpack(bundle, binary);
    static volatile unsigned keep;
    keep = use_code(binary) + (unsigned)strlen(binary->target) + (unsigned)strlen(binary->arch) +
           (unsigned)strlen(binary->source);
    (void)keep;
    for (size_t i = 0; i < binary->kernel_count; i++)
        require(i > 1000 || mez_binary_has_kernel(binary, binary->kernels[i]));
    mez_device_requirements requirements;
    if (!mez_failed(mez_device_requirements_read(&binary->properties, NULL, &requirements)))
        mez_device_requirements_finish(&requirements);
}

static size_t code_size(const mez_bundle *bundle)
{
    size_t size = 0;
    for (size_t i = 0; i < bundle->count; i++)
        size += bundle->binaries[i].code_size;
    return size;
}

// A reader sorts the binaries of a module, so that what it has read is the same except for their order.
static void expect_readable(const mez_bundle *bundle, const mez_bytes *written)
{
    mez_bundle *again;
    require(!mez_failed(mez_bundle_read(written->data, written->size, "again", &again)));
    require(again->count == bundle->count && code_size(again) == code_size(bundle));
    mez_bundle_destroy(&again);
}

static void write_and_read(const mez_bundle *bundle, mez_syclbin_form form)
{
    mez_bytes written = {0};
    if (!mez_failed(mez_bundle_write_syclbin(bundle, form, &written)))
        expect_readable(bundle, &written);
    mez_bytes_finish(&written);
}

static void write_as_offload(const mez_bundle *bundle)
{
    mez_bytes written = {0};
    if (!mez_failed(write_offload(bundle, NULL, &written))) {
        mez_bundle *again;
        const mez_error error = mez_bundle_read(written.data, written.size, "again", &again);
        if (!mez_failed(error))
            mez_bundle_destroy(&again); // code that is a container itself is read as one
    }
    mez_bytes_finish(&written);
}

static mez_error read_bundle(const uint8_t *bytes, size_t size, mez_bundle **bundle)
{
#ifdef MEZ_FUZZ_READER
    *bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    if (!*bundle)
        return mez_error_no_memory("a bundle");
    (*bundle)->budget = mez_bundle_budget(size);
    const mez_container_bytes span = {.bytes = bytes, .size = size, .source = "fuzz"};
    const mez_error error = MEZ_FUZZ_READER(*bundle, &span);
    if (mez_failed(error))
        mez_bundle_destroy(bundle);
    return error;
#else
    return mez_bundle_read(bytes, size, "fuzz", bundle);
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_bundle *bundle;
    if (mez_failed(read_bundle(bytes, size, &bundle)))
        return 0;
    for (size_t i = 0; i < bundle->count; i++)
        use(bundle, &bundle->binaries[i]);
    write_and_read(bundle, MEZ_SYCLBIN_1_BARE);
    write_and_read(bundle, MEZ_SYCLBIN_2);
    write_as_offload(bundle);
    mez_bundle_destroy(&bundle);
    return 0;
}
