// SPDX-License-Identifier: MIT
//
// What a module is built from.
#include "build_input.h"

#include "build_log.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPIRV_MAGIC 0x07230203u
#define SPIRV_HEADER_SIZE 20u

static ze_result_t reserve(struct zc_build_input *input, uint32_t count)
{
    *input = (struct zc_build_input){.count = count};
    input->modules = calloc(count, sizeof *input->modules);
    input->flags = calloc(count, sizeof *input->flags);
    if (input->modules && input->flags)
        return ZE_RESULT_SUCCESS;
    zc_build_input_finish(input);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

void zc_build_input_finish(struct zc_build_input *input)
{
    for (uint32_t i = 0; input->flags && i < input->count; i++)
        free(input->flags[i]);
    free(input->flags);
    free(input->modules);
    *input = (struct zc_build_input){.count = 0};
}

static bool set_module(struct zc_build_input *input, uint32_t index, const struct zc_spirv *module,
    const char *common_flags)
{
    const char *own = module->flags ? module->flags : "";
    if (asprintf(&input->flags[index], "%s %s", common_flags ? common_flags : "", own) < 0) {
        input->flags[index] = NULL;
        return false;
    }
    input->modules[index] = *module;
    input->modules[index].flags = input->flags[index];
    return true;
}

static ze_result_t set_constants(struct zc_spirv *module, const ze_module_constants_t *constants)
{
    if (!constants || !constants->numConstants)
        return ZE_RESULT_SUCCESS;
    ZC_REQUIRE_POINTER(constants->pConstantIds);
    ZC_REQUIRE_POINTER(constants->pConstantValues);
    for (uint32_t i = 0; i < constants->numConstants; i++)
        ZC_REQUIRE_POINTER(constants->pConstantValues[i]);
    module->constants = (struct zc_constants){.count = constants->numConstants,
        .ids = constants->pConstantIds,
        .values = constants->pConstantValues};
    return ZE_RESULT_SUCCESS;
}

static ze_result_t init_single(struct zc_build_input *input, const ze_module_desc_t *desc)
{
    ZC_REQUIRE_POINTER(desc->pInputModule);
    ZC_REQUIRE(desc->inputSize, ZE_RESULT_ERROR_INVALID_SIZE);
    struct zc_spirv module = {.bytes = desc->pInputModule, .size = desc->inputSize};
    ze_result_t result;
    if ((result = set_constants(&module, desc->pConstants)) || (result = reserve(input, 1)))
        return result;
    if (set_module(input, 0, &module, desc->pBuildFlags))
        return ZE_RESULT_SUCCESS;
    zc_build_input_finish(input);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

static ze_result_t check_several(const ze_module_program_exp_desc_t *several)
{
    ZC_REQUIRE(several->count, ZE_RESULT_ERROR_INVALID_SIZE);
    ZC_REQUIRE_POINTER(several->inputSizes);
    ZC_REQUIRE_POINTER(several->pInputModules);
    for (uint32_t i = 0; i < several->count; i++) {
        ZC_REQUIRE_POINTER(several->pInputModules[i]);
        ZC_REQUIRE(several->inputSizes[i], ZE_RESULT_ERROR_INVALID_SIZE);
    }
    return ZE_RESULT_SUCCESS;
}

static ze_result_t add_module(struct zc_build_input *input, uint32_t index,
    const ze_module_program_exp_desc_t *several, const char *common_flags)
{
    struct zc_spirv module = {
        .bytes = several->pInputModules[index],
        .size = several->inputSizes[index],
        .flags = several->pBuildFlags ? several->pBuildFlags[index] : NULL,
    };
    const ze_result_t result =
        set_constants(&module, several->pConstants ? several->pConstants[index] : NULL);
    ZC_PASS(result);
    return set_module(input, index, &module, common_flags) ? ZE_RESULT_SUCCESS
                                                           : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

// Flags of the whole description count for each module. Its constants do not: their ids are a
// module's own.
static ze_result_t init_several(struct zc_build_input *input, const ze_module_desc_t *desc,
    const ze_module_program_exp_desc_t *several)
{
    ze_result_t result;
    if ((result = check_several(several)) || (result = reserve(input, several->count)))
        return result;
    for (uint32_t i = 0; i < several->count && !result; i++)
        result = add_module(input, i, several, desc->pBuildFlags);
    if (result)
        zc_build_input_finish(input);
    return result;
}

// Intel's driver, too, refuses an extension of the description that it does not know: it may change
// what is built.
ze_result_t zc_build_input_init(struct zc_build_input *input, const ze_module_desc_t *desc)
{
    const ze_base_desc_t *next = desc->pNext;
    if (!next)
        return init_single(input, desc);
    ZC_REQUIRE(next->stype == ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC && !next->pNext,
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return init_several(input, desc, desc->pNext);
}

static const char *find_fault(const struct zc_spirv *module)
{
    uint32_t magic;
    if (module->size < SPIRV_HEADER_SIZE)
        return "it is shorter than a SPIR-V header";
    if (module->size % sizeof(uint32_t))
        return "its size is not a multiple of 4";
    memcpy(&magic, module->bytes, sizeof magic);
    if (magic == __builtin_bswap32(SPIRV_MAGIC))
        return "its byte order is reversed";
    return magic == SPIRV_MAGIC ? NULL : "it does not begin with SPIR-V's magic number";
}

bool zc_build_input_is_spirv(const struct zc_build_input *input, char **log)
{
    bool ok = true;
    for (uint32_t i = 0; i < input->count; i++) {
        const char *fault = find_fault(&input->modules[i]);
        if (fault)
            zc_log_print(log, "error: input module %u is not SPIR-V: %s\n", i, fault);
        ok &= !fault;
    }
    return ok;
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const bool begins = at == text || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

bool zc_build_input_has_flag(const struct zc_build_input *input, const char *flag)
{
    for (uint32_t i = 0; i < input->count; i++)
        if (has_word(input->flags[i], flag))
            return true;
    return false;
}
