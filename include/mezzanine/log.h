// SPDX-License-Identifier: MIT
//
// What the library has to say while it works. It says little: warnings go to stderr unless you take
// them over.
//
// MEZ_LOG sets levels: `MEZ_LOG=debug`, or by topic `MEZ_LOG=queue:debug,ze:trace`. Topics: base,
// ze, context, device, memory, image, kernel, event, queue, assert. Levels: off, error, warn (the
// default), info, debug, trace. `ze:trace` shows every Level Zero call with its result.
//
// Thread-safety: safe from any thread. The callback may be called from any thread, and from the
// middle of any call: it must not call back into the library, except for the functions of error.h.

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

// `topic` and `message` live only during the call; the message has no final newline.
typedef void (*mez_log_function)(
    void *user, mez_log_level level, const char *topic, const char *message);

// Takes the messages over; NULL gives them back to stderr. `user` must live until the function is
// replaced.
MEZ_API void mez_log_set_function(mez_log_function function, void *user);

// Sets levels in MEZ_LOG's own words, over what the environment said.
// MEZ_ERRC_INVALID_PARAMETER: an unknown topic or level; nothing is changed, the story names what
//     is known.
MEZ_API mez_error mez_log_set_levels(const char *levels);

MEZ_END

#endif
