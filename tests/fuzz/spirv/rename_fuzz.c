// SPDX-License-Identifier: MIT
//
// Fuzz target of the renaming of symbols: whatever module the reader accepts, its copy is one that the reader accepts, with
// as many symbols, none of which has the old name, unless that is the new one too. Linked with replay.c instead of libFuzzer
// it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/module.h"
#include "spirv/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void forbid_name(const struct mez_spirv_symbol *symbols, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        require(strcmp(symbols[i].name, name) != 0);
}

static void check_copy(const struct mez_spirv_module *module, const uint32_t *words, uint32_t count,
    const char *from, const char *to)
{
    struct mez_spirv_module *copy;
    require(mez_spirv_module_create(words, count * sizeof *words, NULL, &copy) == MEZ_SPIRV_OK);
    require(copy->def_count == module->def_count);
    require(copy->import_count == module->import_count);
    if (strcmp(from, to) != 0)
        forbid_name(copy->imports, copy->import_count, from);
    mez_spirv_module_destroy(&copy);
}

static void rename_to(const struct mez_spirv_module *module, const char *from, const char *to)
{
    uint32_t *words, count;
    const enum mez_spirv_status status = mez_spirv_rename(
        module, from, to, MEZ_RENAME_IMPORTS | MEZ_RENAME_EXPORTS, NULL, &words, &count);
    if (status == MEZ_SPIRV_OK)
        check_copy(module, words, count, from, to);
    mez_free_memory(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct mez_spirv_module *module;
    if (mez_spirv_module_create(bytes, size, NULL, &module))
        return 0;
    for (uint32_t i = 0; i < module->import_count && i < 8; i++) {
        rename_to(module, module->imports[i].name, "__a_name_that_nobody_has");
        rename_to(module, module->imports[i].name, "?");
    }
    for (uint32_t i = 0; i < module->export_count && i < 8; i++)
        rename_to(module, module->exports[i].name, "__a_name_that_nobody_has");
    mez_spirv_module_destroy(&module);
    return 0;
}
