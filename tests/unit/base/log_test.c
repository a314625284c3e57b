// SPDX-License-Identifier: MIT
//
// The log: which messages appear.

#include "unit.h"

#include <pthread.h>

#include "base/error.h"
#include "base/log.h"

struct heard {
    int count;
    mez_log_level level;
    char topic[32];
    char message[1024];
};

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    struct heard *heard = user;
    heard->count++;
    heard->level = level;
    snprintf(heard->topic, sizeof heard->topic, "%s", topic);
    snprintf(heard->message, sizeof heard->message, "%s", message);
}

static struct heard the_heard;

static int listen(void **state)
{
    the_heard = (struct heard){0};
    *state = &the_heard;
    mez_log_set_function(hear, &the_heard);
    return mez_failed(mez_log_set_levels("warn"));
}

static int stop_listening(void **state)
{
    (void)state;
    mez_log_set_function(NULL, NULL);
    return 0;
}

static void test_shows_warnings_at_first(void **state)
{
    const struct heard *heard = *state;
    mez_log(QUEUE, INFO, "not this");
    assert_int_equal(heard->count, 0);
    mez_log(QUEUE, WARN, "batch of %d", 3);
    assert_int_equal(heard->count, 1);
    assert_int_equal(heard->level, MEZ_LOG_WARN);
    assert_string_equal(heard->topic, "queue");
    assert_string_equal(heard->message, "batch of 3");
}

static int evaluated;

static int count_evaluation(void)
{
    return ++evaluated;
}

static void test_arguments_of_hidden_messages_are_not_evaluated(void **state)
{
    (void)state;
    mez_log(BASE, TRACE, "%d", count_evaluation());
    assert_int_equal(evaluated, 0);
    mez_log(BASE, ERROR, "%d", count_evaluation());
    assert_int_equal(evaluated, 1);
}

static void test_levels_by_topic(void **state)
{
    const struct heard *heard = *state;
    assert_ok(mez_log_set_levels("off,queue:debug,ze:trace"));
    mez_log(MEMORY, ERROR, "not this");
    mez_log(QUEUE, TRACE, "nor this");
    assert_int_equal(heard->count, 0);
    mez_log(QUEUE, DEBUG, "this");
    mez_log(ZE, TRACE, "and this");
    assert_int_equal(heard->count, 2);
    assert_ok(mez_log_set_levels("queue:off")); // other topics stay
    mez_log(QUEUE, ERROR, "not this");
    mez_log(ZE, TRACE, "but this");
    assert_int_equal(heard->count, 3);
    assert_ok(mez_log_set_levels(""));
}

static void test_unknown_words_change_nothing(void **state)
{
    const struct heard *heard = *state;
    static const struct {
        const char *levels;
        const char *words;
    } wrong[] = {
        {"loud", "\"loud\" is not a known level"},
        {"trace,queue:loud", "\"loud\" is not a known level"},
        {"trace,quark:debug", "\"quark\" is not a known topic"},
        {"trace,,debug", "\"\" is not a known level"},
        {"queue:", "\"\" is not a known level"},
        {":debug", "\"\" is not a known topic"},
        {"debug ", "\"debug \" is not a known level"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_story(
            mez_log_set_levels(wrong[i].levels), MEZ_ERRC_INVALID_PARAMETER, wrong[i].words);
    assert_condition(mez_log_set_levels(NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_contains(story_of(mez_log_set_levels("x")), "off, error, warn, info, debug, trace");
    assert_contains(story_of(mez_log_set_levels("x:warn")), "base, ze, context");
    mez_log(QUEUE, INFO, "still hidden");
    assert_int_equal(heard->count, 0);
}

static void test_errors_are_logged_with_their_story(void **state)
{
    const struct heard *heard = *state;
    mez_log_error(MEZ_TOPIC_EVENT, mez_ok());
    assert_int_equal(heard->count, 0);
    mez_log_error(MEZ_TOPIC_EVENT, mez_error_make(MEZ_ERRC_FILE, "what failed"));
    assert_int_equal(heard->level, MEZ_LOG_ERROR);
    assert_string_equal(heard->topic, "event");
    assert_contains(heard->message, "what failed");
    assert_ok(mez_log_set_levels("off"));
    mez_log_error(MEZ_TOPIC_EVENT, mez_error_make(MEZ_ERRC_FILE, "hidden"));
    assert_int_equal(heard->count, 1);
}

static void *write_messages(void *argument)
{
    for (int i = 0; i < 1000; i++)
        mez_log(BASE, WARN, "%s %d", "message", i);
    return argument;
}

static void count_message(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)level, (void)topic, (void)message;
    atomic_fetch_add((atomic_int *)user, 1);
}

// The receiver changes while messages come in; each goes to one of them, with its own user data.
static void test_threads(void **state)
{
    (void)state;
    atomic_int counts[2] = {0, 0};
    mez_log_set_function(count_message, &counts[0]);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_messages, NULL), 0);
    for (int i = 0; i < 1000; i++)
        mez_log_set_function(count_message, &counts[i % 2]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(counts[0] + counts[1], 4000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shows_warnings_at_first),
        TEST(test_arguments_of_hidden_messages_are_not_evaluated),
        TEST(test_levels_by_topic),
        TEST(test_unknown_words_change_nothing),
        TEST(test_errors_are_logged_with_their_story),
        TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
