// SPDX-License-Identifier: MIT
//
// Fuzz target of linking: the input is cut where SPIR-V's magic number comes again; two modules that the reader accepts and
// that fit each other give one that the reader accepts, also where their types of a symbol differ in what pointers point to. A file
// with one module is linked with itself. Linked with replay.c instead of libFuzzer it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/link.h"
#include "spirv/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

// What linking adds: functions that pass calls on between modules that know a symbol by two types, each with a label, a call, and
// at most five ids for the result and each parameter.
static uint64_t count_added_at_most(const struct mez_spirv_module *module)
{
    return 7 * (uint64_t)module->function_count + 5 * (uint64_t)module->param_count;
}

static void require_names_to_differ(const struct mez_spirv_module *module)
{
    for (uint32_t i = 1; i < module->export_count; i++)
        for (uint32_t j = 0; j < i && module->exports[i].linkage == MEZ_LINKAGE_EXPORT; j++)
            require(module->exports[j].linkage != MEZ_LINKAGE_EXPORT ||
                    strcmp(module->exports[i].name, module->exports[j].name) != 0);
}

static void link_modules(const struct mez_spirv_module *a, const struct mez_spirv_module *b)
{
    const struct mez_spirv_link_input inputs[] = {{a, "a"}, {b, "b"}};
    uint32_t first_ids[2], *words, count;
    const enum mez_spirv_status status = mez_spirv_link(inputs, 2, NULL, first_ids, &words, &count);
    if (status) {
        require(status == MEZ_SPIRV_CONFLICT || status == MEZ_SPIRV_TOO_LARGE);
        return;
    }
    struct mez_spirv_module *result;
    require(mez_spirv_module_create(words, count * sizeof *words, NULL, &result) == MEZ_SPIRV_OK);
    require(result->entry_point_count == a->entry_point_count + b->entry_point_count);
    require(result->def_count <=
            a->def_count + b->def_count + count_added_at_most(a) + count_added_at_most(b));
    require(result->import_count <= a->import_count + b->import_count);
    require_names_to_differ(result);
    mez_spirv_module_destroy(&result);
    mez_free_memory(words);
}

// Where the second module begins; `size`: there is none.
static size_t find_second(const uint8_t *bytes, size_t size)
{
    const uint32_t magic = MEZ_SPIRV_MAGIC;
    for (size_t at = sizeof magic; at + sizeof magic <= size; at += sizeof magic) {
        if (memcmp(bytes + at, &magic, sizeof magic) == 0)
            return at;
    }
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const size_t second = find_second(bytes, size);
    struct mez_spirv_module *a, *b;
    if (mez_spirv_module_create(bytes, second, NULL, &a))
        return 0;
    if (second == size) {
        link_modules(a, a);
    } else if (mez_spirv_module_create(bytes + second, size - second, NULL, &b) == MEZ_SPIRV_OK) {
        link_modules(a, b);
        link_modules(b, a);
        mez_spirv_module_destroy(&b);
    }
    mez_spirv_module_destroy(&a);
    return 0;
}
