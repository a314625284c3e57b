// SPDX-License-Identifier: MIT
//
// The header of a module, its copy in host byte order, and the order in which the module is checked
// and read.

#include "spirv/reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/check.h"
#include "spirv/contents.h"
#include "spirv/ids.h"
#include "spirv/recognise.h"

#define WORD sizeof(uint32_t)

static enum mez_spirv_status refuse(
    const void *bytes, size_t size, struct mez_spirv_problem *problem)
{
    const char *guess = mez_spirv_recognise(bytes, size);
    if (guess)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NOT_SPIRV, 0, "this is not SPIR-V: it is %s", guess);
    return mez_spirv_fail(problem, MEZ_SPIRV_NOT_SPIRV, 0,
        "this is not SPIR-V: it does not begin with its magic number 0x07230203");
}

// Whether the bytes begin with the magic number, in host byte order or swapped.
static bool find_magic(const void *bytes, size_t size, bool *swapped)
{
    uint32_t magic = 0;
    if (size < sizeof magic)
        return false;
    memcpy(&magic, bytes, sizeof magic);
    *swapped = magic == __builtin_bswap32(MEZ_SPIRV_MAGIC);
    return magic == MEZ_SPIRV_MAGIC || *swapped;
}

static enum mez_spirv_status check_bytes(
    const void *bytes, size_t size, struct mez_spirv_problem *problem, bool *swapped)
{
    if (size == 0)
        return mez_spirv_fail(problem, MEZ_SPIRV_NOT_SPIRV, 0, "this is not SPIR-V: it is empty");
    if (!find_magic(bytes, size, swapped))
        return refuse(bytes, size, problem);
    if (size < MEZ_SPIRV_HEADER_WORDS * WORD)
        return mez_spirv_fail(problem, MEZ_SPIRV_TRUNCATED, 0,
            "the module ends in its header: it has %zu bytes of at least %zu", size,
            MEZ_SPIRV_HEADER_WORDS * WORD);
    if (size % WORD)
        return mez_spirv_fail(problem, MEZ_SPIRV_TRUNCATED, size / WORD,
            "the module ends inside a word: %zu bytes are no multiple of %zu", size, WORD);
    // Room above the last word keeps at + length below 2^32.
    if (size / WORD > UINT32_MAX - UINT16_MAX)
        return mez_spirv_fail(problem, MEZ_SPIRV_TOO_LARGE, 0, "the module is larger than 16 GiB");
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status copy_words(struct mez_spirv_module *module, const void *bytes,
    size_t size, bool swapped, struct mez_spirv_problem *problem)
{
    module->words = mez_alloc_array(size / WORD, WORD);
    if (!module->words)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a module of %zu bytes", size);

    module->word_count = (uint32_t)(size / WORD);
    memcpy(module->words, bytes, size);
    for (uint32_t i = 0; swapped && i < module->word_count; i++)
        module->words[i] = __builtin_bswap32(module->words[i]);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status read_header(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    const uint32_t version = module->words[1];
    const uint32_t major = version >> 16 & 0xFF, minor = version >> 8 & 0xFF;

    module->minor_version = minor;
    module->generator = module->words[2];
    module->bound = module->words[3];

    if ((version & 0xFF0000FFu) || major != 1 || minor > MEZ_SPIRV_NEWEST_MINOR)
        return mez_spirv_fail(problem, MEZ_SPIRV_BAD_VERSION, 1,
            "the module claims to be SPIR-V %" PRIu32 ".%" PRIu32 " (version word 0x%08" PRIx32
            "); known are 1.0 to 1.%u",
            major, minor, version, MEZ_SPIRV_NEWEST_MINOR);
    if (module->bound == 0 || module->bound > MEZ_SPIRV_LARGEST_BOUND)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, 3,
            "the bound of ids is %" PRIu32 "; allowed are 1 to %u", module->bound,
            MEZ_SPIRV_LARGEST_BOUND);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status read_module(struct mez_spirv_module *module, const void *bytes,
    size_t size, struct mez_spirv_problem *problem)
{
    bool swapped = false;
    enum mez_spirv_status status = check_bytes(bytes, size, problem, &swapped);
    if (!status)
        status = copy_words(module, bytes, size, swapped, problem);
    if (!status)
        status = read_header(module, problem);
    if (!status)
        status = mez_spirv_check_shape(module, problem);
    if (!status)
        status = mez_spirv_collect_ids(module, problem);
    if (!status)
        status = mez_spirv_check_uses(module, problem);
    if (!status)
        status = mez_spirv_collect_contents(module, problem);
    if (!status)
        status = mez_spirv_collect_decorations(module, problem);
    if (!status)
        status = mez_spirv_collect_types(module, problem);
    if (!status)
        status = mez_spirv_collect_symbols(module, problem);
    if (!status)
        mez_spirv_collect_escapes(module);
    return status;
}

enum mez_spirv_status mez_spirv_module_create(const void *bytes, size_t size,
    struct mez_spirv_problem *problem, struct mez_spirv_module **module)
{
    *module = mez_alloc_array(1, sizeof **module);
    if (!*module)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to read a module");

    const enum mez_spirv_status status = read_module(*module, bytes, size, problem);
    if (status)
        mez_spirv_module_destroy(module);
    return status;
}

void mez_spirv_module_destroy(struct mez_spirv_module **module)
{
    struct mez_spirv_module *old = *module;
    *module = NULL;
    if (!old)
        return;

    mez_free_memory(old->words);
    mez_free_memory(old->capabilities);
    mez_free_memory(old->extensions);
    mez_free_memory(old->defs);
    mez_free_memory(old->def_slots);
    mez_free_memory(old->globals);
    mez_free_memory(old->types);
    mez_free_memory(old->decorations);
    mez_free_memory(old->functions);
    mez_free_memory(old->address_taken);
    mez_free_memory(old->params);
    mez_free_memory(old->entry_points);
    mez_free_memory(old->imports);
    mez_free_memory(old->exports);
    mez_free_memory(old);
}
