// SPDX-License-Identifier: MIT
//
// Fuzz target of property files: whatever is read can be asked for requirements, merged with itself, and written; where it can be
// written, it reads the same.

#include <stdint.h>
#include <stdlib.h>

#include "../../unit/container/same.h"
#include "container/device_requirements.h"
#include "container/properties.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void ask(const mez_properties *properties, bool doc_forms)
{
    mez_device_requirements requirements;
    const mez_requirements_reading reading = {.doc_forms = doc_forms};
    if (mez_failed(mez_device_requirements_read(properties, &reading, &requirements)))
        return;
    mez_properties written = {0};
    const mez_requirements_writing writing = {.doc_names = doc_forms};
    (void)mez_device_requirements_write(&requirements, &writing, &written);
    mez_properties_finish(&written);
    mez_device_requirements_finish(&requirements);
}

static void merge_with_itself(const mez_properties *properties)
{
    const mez_properties *const list[] = {properties, properties};
    mez_properties merged = {0};
    require(!mez_failed(mez_properties_merge(list, 2, &merged)));
    require(same_properties(&merged, properties));
    mez_properties_finish(&merged);
}

static void write_and_read(const mez_properties *properties)
{
    mez_bytes text = {0};
    mez_properties again = {0};
    if (!mez_failed(mez_prop_write(properties, &text))) {
        require(!mez_failed(mez_prop_read((const char *)text.data, text.size, "again", &again)));
        require(same_properties(properties, &again));
    }
    mez_properties_finish(&again);
    mez_bytes_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_properties properties = {0};
    if (!mez_failed(mez_prop_read((const char *)bytes, size, "fuzz", &properties))) {
        ask(&properties, false);
        ask(&properties, true);
        merge_with_itself(&properties);
        write_and_read(&properties);
    }
    mez_properties_finish(&properties);
    return 0;
}
