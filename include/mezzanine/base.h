// SPDX-License-Identifier: MIT
//
// What every public header needs: symbol visibility, C++ linkage, and the place in the user's
// source from which a call comes.

#ifndef MEZZANINE_BASE_H
#define MEZZANINE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MEZ_CHECKED: compilers warn where the error that a function returns is not used. mez_error_ignore
// ignores one on purpose.
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

// Structs that a program fills, and structs of the program that a call fills, end in reserved
// words:
//
//     uint64_t reserved[8]; // must be zero: mezzanine/base.h
//
// Later versions turn them into members. The struct keeps its size, so that compiled programs go on
// running. In a struct that you fill, reserved words must be zero, as they are after `= {0}` and
// with designated initialisers. If they are not, calls return MEZ_ERRC_INVALID_PARAMETER, because
// the program uses a member that this version of the library does not know. In a struct that a call
// fills for you they are zero. docs/compatibility.md has the rules.

// A place in the user's source. Traces and error stories show it.
//
// Every call that can fail or destroys an object, except those of <mezzanine/toolchain.h>, exists
// twice: `mez_x(...)`, a macro for C that fills in the place of the call, and `mez_x_at(location,
// ...)`, a plain function for every other language; NULL there means "unknown place". The strings
// are not copied: they must live as long as the process, as __FILE__ and __func__ do. A macro has
// no address: where C needs a pointer to a function, as for __attribute__((cleanup)), write a
// function that calls the macro.
//
// Macros that take a params struct take `...`, because the preprocessor sees each comma of a
// compound literal:
//
//     err = mez_queue_create(context, &(mez_queue_params){.device = gpu, .kind = kind}, &queue);
typedef struct mez_location {
    const char *file;     // NULL: unknown
    const char *function; // NULL: unknown
    int line;             // 0: unknown
    int column;           // 0: unknown, as with compilers that have no __builtin_COLUMN
} mez_location;

// The column of the call, where the compiler knows it: clang does, gcc does not.
#define MEZ_COLUMN 0
#ifdef __has_builtin
#if __has_builtin(__builtin_COLUMN)
#undef MEZ_COLUMN
#define MEZ_COLUMN __builtin_COLUMN()
#endif
#endif

#ifndef __cplusplus
#define MEZ_HERE (&(const mez_location){__FILE__, __func__, __LINE__, MEZ_COLUMN})
#endif

MEZ_END

#endif
