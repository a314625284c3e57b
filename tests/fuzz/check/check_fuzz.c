// SPDX-License-Identifier: MIT
//
// Fuzz target of checks: whatever a property set states, it is an error, or is judged the same with and without words. The bytes
// are the text form of property sets.

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "check/check.h"
#include "check/describe.h"
#include "container/properties.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void judge(const mez_requirements *requirements, const mez_check_device *device)
{
    mez_verdict verdict;
    require(!mez_failed(mez_check(requirements, device, &verdict)));
    require((verdict.answer != MEZ_LACKS) == mez_check_passes(requirements, device));
    require((verdict.answer == MEZ_HAS) == (verdict.count == 0));
    const mez_error error = mez_check_refuse(requirements, device, NULL);
    require(mez_failed(error) == (verdict.answer == MEZ_LACKS));
    mez_check_range(requirements, 2, (const size_t[]){8, 8});
    mez_verdict_finish(&verdict);
}

static void describe(const mez_requirements *requirements)
{
    mez_text text = {0};
    for (uint32_t i = 0; i < requirements->count; i++)
        mez_requirement_add_value(&text, &requirements->items[i], requirements->numbering);
    mez_text_finish(&text);
}

static void use(const mez_properties *properties)
{
    static const char *const names[] = {"tgllp", "pvc", "acm_g10", "spir64", "x86_64"};
    const mez_requirements_reading reading = {.source = "fuzz"};
    const mez_targets *table;
    mez_device_requirements stated;
    mez_requirements requirements = {.image = "fuzz"};
    if (mez_failed(mez_device_requirements_read(properties, &reading, &stated)))
        return;
    require(!mez_failed(mez_requirements_add_stated(&requirements, &stated)));
    require(!mez_failed(mez_targets_get_default(&table)));
    describe(&requirements);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const mez_target *target = mez_targets_find(table, names[i], NULL);
        require(target != NULL);
        const mez_check_device device = mez_check_device_of(names[i], target);
        judge(&requirements, &device);
    }
    mez_requirements_finish(&requirements);
    mez_device_requirements_finish(&stated);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_properties properties = {0};
    if (!mez_failed(mez_prop_read((const char *)bytes, size, "fuzz", &properties)))
        use(&properties);
    mez_properties_finish(&properties);
    return 0;
}
