// SPDX-License-Identifier: MIT
//
// What every public header needs: symbol visibility, C++ linkage, and the place in the user's
// source from which a call comes.

#ifndef MEZZANINE_BASE_H
#define MEZZANINE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MEZ_CHECKED: the compiler warns where the result, an error, is dropped. mez_error_ignore drops
// one on purpose.
#if defined(__GNUC__)
#define MEZ_API __attribute__((visibility("default")))
#define MEZ_CHECKED __attribute__((warn_unused_result))
#else
#define MEZ_API
#define MEZ_CHECKED
#endif

#ifdef __cplusplus
#define MEZ_BEGIN extern "C" {
#define MEZ_END }
#else
#define MEZ_BEGIN
#define MEZ_END
#endif

MEZ_BEGIN

// A place in the user's source. Traces and error stories show it.
//
// Every call that creates or submits something exists twice: `mez_x(...)`, a macro for C that fills
// in the place of the call, and `mez_x_at(location, ...)`, a plain function for every other
// language; NULL there means "unknown place". The strings are not copied: they must live as long as
// the process, as __FILE__ and __func__ do.
//
// Macros that take a params struct take `...`, because the preprocessor sees each comma of a
// compound literal:
//
//     mez_queue_create(context, &(mez_queue_params){.device = gpu, .kind = kind}, &queue);
typedef struct mez_location {
    const char *file;     // NULL: unknown
    const char *function; // NULL: unknown
    int line;             // 0: unknown
    int column;           // 0: unknown
} mez_location;

#ifndef __cplusplus
#define MEZ_HERE (&(const mez_location){__FILE__, __func__, __LINE__, 0})
#endif

MEZ_END

#endif
