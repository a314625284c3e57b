// SPDX-License-Identifier: MIT

#include "walk.h"

#include <pthread.h>

#include "base/alloc.h"

enum { MOST_STEPS = 4096, CLEAN_TURNS = 10 };

// Guards what follows: the completion thread reports, too.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned reported; // in this turn
static mez_error first;   // that a call returned in this turn
static char stories[4 * STORY_ROOM];

static void note(const char *story)
{
    pthread_mutex_lock(&lock);
    const size_t length = strlen(stories);
    reported++;
    snprintf(stories + length, sizeof stories - length, "%s\n", story);
    pthread_mutex_unlock(&lock);
}

static void note_first(mez_error error)
{
    pthread_mutex_lock(&lock);
    if (!mez_failed(first))
        first = error;
    pthread_mutex_unlock(&lock);
}

bool walk_went_well(mez_error error)
{
    char story[4096];
    if (!mez_failed(error))
        return true;
    mez_error_get_story(error, story, sizeof story);
    note(story);
    note_first(error);
    return false;
}

// What fails while things are destroyed is logged.
static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    if (level <= MEZ_LOG_WARN)
        note(message);
}

static void prepare(const walk *walk)
{
    noop_reset();
    if (walk->prepare)
        walk->prepare();
    reported = 0;
    first = mez_ok();
    stories[0] = '\0';
}

static void play(const walk *walk, uint64_t n)
{
    mez_log_set_function(hear, NULL);
    walk->play();
    mez_log_set_function(NULL, NULL);
    if (noop_live_total() != walk->objects)
        fail_msg("failure %llu: %lld objects are left\n%s", (unsigned long long)n,
            (long long)(noop_live_total() - walk->objects), stories);
    if (walk->check)
        walk->check();
}

static void play_cleanly(const walk *walk, uint64_t n)
{
    prepare(walk);
    play(walk, n);
    if (reported > 0)
        fail_msg("after failure %llu:\n%s", (unsigned long long)n, stories);
}

void walk_clean(const walk *walk)
{
    play_cleanly(walk, 0);
}

bool walk_is_answer(const char *call)
{
    return strcmp(call, "zeDriverGetExtensionFunctionAddress") == 0;
}

static void expect_reported(const walk *walk, uint64_t n)
{
    static const char *names[MOST_STEPS];
    const size_t made = noop_log(names, MOST_STEPS);
    const char *call = n <= made ? names[n - 1] : "";
    const bool excused = walk_is_answer(call) || (walk->is_excused && walk->is_excused(call));
    if (!excused && (reported == 0 || !strstr(stories, call)))
        fail_msg(
            "failure %llu, of %s, was not reported:\n%s", (unsigned long long)n, call, stories);
}

uint64_t walk_calls(const walk *walk, ze_result_t code)
{
    for (uint64_t n = 1; n <= MOST_STEPS; n++) {
        prepare(walk);
        noop_log_start();
        noop_fail(NULL, n, code);
        play(walk, n);
        if (noop_fired() == 0)
            return n - 1;
        expect_reported(walk, n);
        if (n % CLEAN_TURNS == 0)
            play_cleanly(walk, n);
    }
    fail_msg("the program makes too many calls");
    return 0;
}

uint64_t walk_allocations(const walk *walk)
{
    uint64_t unheard = 0;
    for (uint64_t n = 1; n <= MOST_STEPS; n++) {
        prepare(walk);
        mez_alloc_fail_at(n);
        play(walk, n);
        if (mez_alloc_fail_at(0) < n) {
            assert_uint_in_range(unheard, 0, walk->allocations_unheard);
            return n - 1;
        }
        if (mez_failed(first) && !mez_error_is(first, MEZ_ERRC_OUT_OF_HOST_MEMORY))
            fail_msg("allocation %llu:\n%s", (unsigned long long)n, stories);
        unheard += reported == 0;
        if (n % CLEAN_TURNS == 0)
            play_cleanly(walk, n);
    }
    fail_msg("the program makes too many allocations");
    return 0;
}
