// SPDX-License-Identifier: MIT
//
// What a module is built from: the description given to zeModuleCreate in the engine's form.
#ifndef ZE_CPU_BUILD_INPUT_H
#define ZE_CPU_BUILD_INPUT_H

#include <engine.h>
#include <level_zero/ze_api.h>
#include <stdbool.h>

struct zc_build_input {
    struct zc_spirv *modules;
    char **flags; // of each module: those of the whole description and its own
    uint32_t count;
};

// Accepts one module, or several through ze_module_program_exp_desc_t. The bytes stay the caller's.
ze_result_t zc_build_input_init(struct zc_build_input *input, const ze_module_desc_t *desc);
void zc_build_input_finish(struct zc_build_input *input);

// Do all modules begin like SPIR-V? Else the log says what is wrong with which.
bool zc_build_input_is_spirv(const struct zc_build_input *input, char **log);
// Is that flag given to any of the modules? As with Intel's driver, flags act on the whole program.
bool zc_build_input_has_flag(const struct zc_build_input *input, const char *flag);

#endif
