// SPDX-License-Identifier: MIT

#include "base/log.h"

#include <pthread.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/process.h"
#include "base/text.h"

static const char *const topic_names[] = {
#define TOPIC_NAME(topic, name) name,
    MEZ_LOG_TOPICS(TOPIC_NAME)
#undef TOPIC_NAME
};

static const char *const level_names[] = {"off", "error", "warn", "info", "debug", "trace"};
#define LEVEL_COUNT (sizeof(level_names) / sizeof(level_names[0]))

#define DEFAULT_LEVEL(topic, name) MEZ_LOG_WARN,
atomic_uchar mez_log_levels[MEZ_TOPIC_COUNT] = {MEZ_LOG_TOPICS(DEFAULT_LEVEL)};

// Guards function and user, so that they change together. Not held while the function runs.
static pthread_mutex_t function_lock = PTHREAD_MUTEX_INITIALIZER;
static mez_log_function log_function;
static void *log_user;

MEZ_FREE_AT_FORK(function_lock, MEZ_FORK_INNER)

void mez_log_set_function(mez_log_function function, void *user)
{
    pthread_mutex_lock(&function_lock);
    log_function = function;
    log_user = user;
    pthread_mutex_unlock(&function_lock);
}

static void deliver(mez_log_level level, const char *topic, const char *message)
{
    pthread_mutex_lock(&function_lock);
    const mez_log_function function = log_function;
    void *user = log_user;
    pthread_mutex_unlock(&function_lock);
    if (function)
        function(user, level, topic, message);
    else
        fprintf(stderr, "mezzanine: %s: %s: %s\n", level_names[level], topic, message);
}

void mez_log_write(mez_log_topic topic, mez_log_level level, const char *format, ...)
{
    mez_text message = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&message, format, arguments);
    va_end(arguments);
    deliver(level, topic_names[topic], mez_text_get(&message));
    mez_text_finish(&message);
}

void mez_log_error(mez_log_topic topic, mez_error error)
{
    if (!mez_failed(error) || !mez_log_shows(topic, MEZ_LOG_ERROR))
        return;
    char story[2048];
    mez_error_get_story(error, story, sizeof story);
    mez_log_write(topic, MEZ_LOG_ERROR, "%-s", story);
}

static int index_of(const char *const *names, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0)
            return (int)i;
    return -1;
}

static mez_error unknown_word(
    const char *kind, const char *word, size_t length, const char *const *names, size_t count)
{
    mez_text known = {0};
    for (size_t i = 0; i < count; i++)
        mez_text_add(&known, "%s%s", i ? ", " : "", names[i]);
    mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "log levels: \"%.*s\" is not a known %s", (int)length, word, kind);
    error = mez_error_add(error, "known", "%-s", mez_text_get(&known));
    mez_text_finish(&known);
    return error;
}

// One item, "level" or "topic:level", of `length` bytes.
static mez_error apply_item(const char *item, size_t length, unsigned char *levels)
{
    const char *colon = memchr(item, ':', length);
    const char *level_word = colon ? colon + 1 : item;
    const size_t level_length = length - (size_t)(level_word - item);
    const int level = index_of(level_names, LEVEL_COUNT, level_word, level_length);
    if (level < 0)
        return unknown_word("level", level_word, level_length, level_names, LEVEL_COUNT);
    if (!colon) {
        memset(levels, level, MEZ_TOPIC_COUNT);
        return mez_ok();
    }
    const size_t topic_length = (size_t)(colon - item);
    const int topic = index_of(topic_names, MEZ_TOPIC_COUNT, item, topic_length);
    if (topic < 0)
        return unknown_word("topic", item, topic_length, topic_names, MEZ_TOPIC_COUNT);
    levels[topic] = (unsigned char)level;
    return mez_ok();
}

static mez_error apply(const char *text, unsigned char *levels)
{
    while (*text) {
        const size_t length = strcspn(text, ",");
        const mez_error error = apply_item(text, length, levels);
        if (mez_failed(error))
            return error;
        text += length + (text[length] == ',');
    }
    return mez_ok();
}

mez_error mez_log_check_levels(const char *text)
{
    unsigned char levels[MEZ_TOPIC_COUNT];
    return apply(text, levels);
}

mez_error mez_log_set_levels(const char *text)
{
    if (!text)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "log levels: NULL");
    unsigned char levels[MEZ_TOPIC_COUNT];
    for (size_t i = 0; i < MEZ_TOPIC_COUNT; i++)
        levels[i] = atomic_load(&mez_log_levels[i]);
    const mez_error error = apply(text, levels);
    if (mez_failed(error))
        return error;
    for (size_t i = 0; i < MEZ_TOPIC_COUNT; i++)
        atomic_store(&mez_log_levels[i], levels[i]);
    return mez_ok();
}

static void read_environment(void)
{
    const char *levels = mez_setting(MEZ_VARIABLE_LOG);
    if (!levels)
        return;
    const mez_error error = mez_log_set_levels(levels);
    if (mez_failed(error)) {
        mez_log_error(MEZ_TOPIC_BASE, mez_error_add(error, "from", "MEZ_LOG=%s", levels));
    }
}

void mez_log_read_environment(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
}
