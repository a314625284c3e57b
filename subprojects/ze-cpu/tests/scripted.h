// SPDX-License-Identifier: MIT
//
// Modules for the scripted engine; scripted_engine.c explains their words.
#ifndef ZE_CPU_TESTS_SCRIPTED_H
#define ZE_CPU_TESTS_SCRIPTED_H

#include <level_zero/ze_api.h>

// Builds one module. *log, unless NULL, gets malloc'ed text.
ze_result_t scripted_build(
    const char *text, const char *flags, ze_module_handle_t *module, char **log);
// Builds several modules into one program; `flags` of each module may be NULL, as may
// `common_flags`.
ze_result_t scripted_link(const char *const *texts, const char **flags, uint32_t count,
    const char *common_flags, ze_module_handle_t *module);
ze_kernel_handle_t scripted_kernel(ze_module_handle_t module, const char *name);
// The log's text, malloc'ed; destroys the log.
char *scripted_take_log(ze_module_build_log_handle_t log);

#endif
