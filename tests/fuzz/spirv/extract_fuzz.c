// SPDX-License-Identifier: MIT
//
// Fuzz target of taking kernels out: from whatever module the reader accepts, each kernel and exported function gives one
// that the reader accepts, with that kernel and no other. Linked with replay.c instead of libFuzzer it replays the files it
// is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/extract.h"
#include "spirv/module.h"

#define MOST_ROOTS 16 // so that one input does not take long

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

// Entry points may also stand in a function's code, where the reader lets them.
static void check_part(const struct mez_spirv_module *module, const uint32_t *roots, uint32_t count,
    const uint32_t *words, uint32_t word_count)
{
    struct mez_spirv_module *part;
    require(
        mez_spirv_module_create(words, word_count * sizeof *words, NULL, &part) == MEZ_SPIRV_OK);
    require(part->def_count <= module->def_count + module->word_count / 5);
    require(part->entry_point_count <= module->entry_point_count);
    for (uint32_t i = 0; i < count; i++)
        require(mez_spirv_find_def(part, roots[i]) != NULL);
    mez_spirv_module_destroy(&part);
}

static void extract(const struct mez_spirv_module *module, const struct mez_spirv_pieces *pieces,
    const uint32_t *roots, uint32_t count, bool without_debug_info)
{
    const struct mez_spirv_extract_options options = {.without_debug_info = without_debug_info};
    uint32_t *words, word_count;
    const enum mez_spirv_status status =
        mez_spirv_extract(pieces, roots, count, &options, NULL, &words, &word_count);
    require(status == MEZ_SPIRV_OK || status == MEZ_SPIRV_TOO_LARGE ||
            (status == MEZ_SPIRV_MALFORMED && (module->has_unknown_opcodes || without_debug_info)));
    if (status == MEZ_SPIRV_OK)
        check_part(module, roots, count, words, word_count);
    mez_free_memory(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct mez_spirv_module *module;
    struct mez_spirv_pieces *pieces;
    if (mez_spirv_module_create(bytes, size, NULL, &module))
        return 0;
    require(mez_spirv_pieces_create(module, NULL, &pieces) == MEZ_SPIRV_OK);

    uint32_t roots[MOST_ROOTS], groups[MOST_ROOTS], variables[MOST_ROOTS], count = 0;
    for (uint32_t i = 0; i < module->entry_point_count && count < MOST_ROOTS / 2; i++)
        roots[count++] = module->functions[module->entry_points[i].function].id;
    for (uint32_t i = 0; i < module->export_count && count < MOST_ROOTS; i++) {
        if (module->exports[i].is_function)
            roots[count++] = module->exports[i].id;
    }
    for (uint32_t i = 0; i < count; i++)
        extract(module, pieces, &roots[i], 1, i % 2);
    extract(module, pieces, roots, count, false);
    (void)mez_spirv_shared_variables(pieces, roots, count, NULL, groups, variables);

    mez_spirv_pieces_destroy(&pieces);
    mez_spirv_module_destroy(&module);
    return 0;
}
