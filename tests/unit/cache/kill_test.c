// SPDX-License-Identifier: MIT
//
// Processes that share a cache, and are killed while they write: what is got afterwards is right or not there.

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"

enum { KILLS = 200, ENTRIES = 8, LIMIT = 400000 };

// Stores for ever: removes entries in between, so that there is always something to write. Reports when the first is there.
static void write_for_ever(const char *folder, int ready)
{
    mez_cache *cache = open_cache(folder, LIMIT);
    for (uint32_t i = 0; put(cache, i % ENTRIES); i++) {
        if (i == 0 && write(ready, "", 1) != 1)
            return;
    }
}

// It is writing by then, however slow the machine.
static pid_t start_writer(const char *folder)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_for_ever(folder, ends[1]);
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

static void kill_after(pid_t child, long nanoseconds)
{
    const struct timespec pause = {.tv_nsec = nanoseconds};
    int status;
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

// Fails where an entry is there and wrong.
static unsigned look_at_all(const char *folder)
{
    mez_cache *cache = open_cache(folder, LIMIT);
    unsigned found = 0;
    for (uint32_t i = 0; i < ENTRIES; i++)
        found += has(cache, i);
    mez_cache_close(&cache);
    return found;
}

static void no_kill_leaves_a_wrong_entry(void **state)
{
    unsigned found = 0;
    for (int i = 0; i < KILLS; i++) {
        const pid_t child = start_writer(*state);
        kill_after(child, 100000 + 37000 * (i % 97));
        found += look_at_all(*state);
    }
    assert_true(found >= KILLS); // else entries were lost
    mez_cache *cache = open_cache(*state, LIMIT);
    assert_int_equal(stats_of(cache).damaged, 0); // renamed when whole: not even a damaged one
    assert_true(put(cache, 1));
    assert_true(has(cache, 1));
    mez_cache_close(&cache);
}

static pid_t start_user(const char *folder)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    mez_cache *cache = open_cache(folder, LIMIT);
    for (uint32_t i = 0; i < 500; i++)
        if (!has(cache, i % ENTRIES) && !put(cache, i % ENTRIES))
            _exit(1);
    mez_cache_close(&cache);
    _exit(0);
}

static void two_processes_both_succeed(void **state)
{
    pid_t children[3];
    for (int i = 0; i < 3; i++)
        children[i] = start_user(*state);
    for (int i = 0; i < 3; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    mez_cache *cache = open_cache(*state, LIMIT);
    const mez_cache_statistics stats = stats_of(cache);
    assert_int_equal(stats.damaged, 0);
    assert_true(stats.bytes <= LIMIT + LARGEST_ENTRY * 3);
    mez_cache_close(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_kill_leaves_a_wrong_entry, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(two_processes_both_succeed, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
