// SPDX-License-Identifier: MIT
//
// Messages of the library. By default it writes only errors and warnings, to stderr; a program can
// receive them instead.
//
// The variable MEZ_LOG sets levels: `MEZ_LOG=debug`, or for single topics
// `MEZ_LOG=queue:debug,ze:trace`. Topics: base, ze, context, device, memory, image, kernel, event,
// queue, assert. Levels: off, error, warn (the default), info, debug, trace. `ze:trace` shows every
// Level Zero call with its result.
//
// Thread-safety: safe from any thread. The function below may be called from any thread, and during
// any call of the library; it may call the functions of error.h, but no others of the library.

#ifndef MEZZANINE_LOG_H
#define MEZZANINE_LOG_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef enum mez_log_level {
    MEZ_LOG_OFF = 0,
    MEZ_LOG_ERROR = 1,
    MEZ_LOG_WARN = 2,
    MEZ_LOG_INFO = 3,
    MEZ_LOG_DEBUG = 4,
    MEZ_LOG_TRACE = 5,
} mez_log_level;

// `topic` and `message` are valid during the call; the message has no final newline.
typedef void (*mez_log_function)(
    void *user, mez_log_level level, const char *topic, const char *message);

// Calls the function for each message instead of writing to stderr; NULL: writes to stderr again.
// `user` must live until the function is replaced.
MEZ_API void mez_log_set_function(mez_log_function function, void *user);

// Sets levels, written as in MEZ_LOG, in place of those from the environment.
// MEZ_ERRC_INVALID_PARAMETER: an unknown topic or level; nothing is changed, and the story lists
// the known ones.
MEZ_API mez_error mez_log_set_levels(const char *levels);

MEZ_END

#endif
