// SPDX-License-Identifier: MIT
//
// Build logs: text that a module's build leaves behind.
#ifndef ZE_CPU_BUILD_LOG_H
#define ZE_CPU_BUILD_LOG_H

#include <level_zero/ze_api.h>

struct _ze_module_build_log_handle_t {
    char *text;
};

// Takes `text`, malloc'ed or NULL for no text, also when memory is short (NULL).
ze_module_build_log_handle_t zc_build_log_create(char *text);

// Appends to malloc'ed text, or begins it at NULL. When memory is short the text stays as it is.
__attribute__((format(printf, 2, 3))) void zc_log_print(char **text, const char *format, ...);

#endif
