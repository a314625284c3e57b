// SPDX-License-Identifier: MIT
//
// Messages of the library, by topic and level.
//
//     mez_log(QUEUE, DEBUG, "\"%s\": batch of %u commands", name, count);
//
// The arguments are evaluated only when the message will be shown.

#ifndef MEZ_BASE_LOG_H
#define MEZ_BASE_LOG_H

#include <stdatomic.h>

#include <mezzanine/log.h>

#include "base/process.h"
#include "base/text.h"

#define MEZ_LOG_TOPICS(X) \
    X(BASE, "base")       \
    X(ZE, "ze")           \
    X(CONTEXT, "context") \
    X(DEVICE, "device")   \
    X(MEMORY, "memory")   \
    X(IMAGE, "image")     \
    X(KERNEL, "kernel")   \
    X(EVENT, "event")     \
    X(QUEUE, "queue")     \
    X(ASSERT, "assert")

typedef enum mez_log_topic {
#define MEZ_LOG_ENUM(topic, name) MEZ_TOPIC_##topic,
    MEZ_LOG_TOPICS(MEZ_LOG_ENUM)
#undef MEZ_LOG_ENUM
        MEZ_TOPIC_COUNT
} mez_log_topic;

// One level per topic; read without a lock on every path, so a byte each.
MEZ_HIDDEN extern atomic_uchar mez_log_levels[MEZ_TOPIC_COUNT];

static inline bool mez_log_shows(mez_log_topic topic, mez_log_level level)
{
    return __builtin_expect(
        atomic_load_explicit(&mez_log_levels[topic], memory_order_relaxed) >= level, 0);
}

#define mez_log(topic, level, ...)                                          \
    do {                                                                    \
        if (mez_log_shows(MEZ_TOPIC_##topic, MEZ_LOG_##level))              \
            mez_log_write(MEZ_TOPIC_##topic, MEZ_LOG_##level, __VA_ARGS__); \
    } while (0)

void mez_log_write(mez_log_topic topic, mez_log_level level, const char *format, ...)
    MEZ_PRINTF(3, 4);

// Logs the story of an error that can't be returned because an earlier one is.
void mez_log_error(mez_log_topic topic, mez_error error);

// Would mez_log_set_levels take the text? Errors: those of that.
mez_error mez_log_check_levels(const char *text);

// Reads MEZ_LOG, once per process.
void mez_log_read_environment(void);

#endif
