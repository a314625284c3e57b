// SPDX-License-Identifier: MIT
//
// Programs are run to their end, and how they ended is told.

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "build/child.h"
#include "build/jobs.h"
#include "build/scratch.h"
#include "folder.h"

static mez_error run(const char *folder, const char *program, mez_build_stop *stop)
{
    mez_build_stop own = MEZ_BUILD_STOP_INIT;
    char output[256];
    snprintf(output, sizeof output, "%s/output", folder);
    mez_words command = {0};
    assert_ok(mez_words_add(&command, program));
    assert_ok(mez_words_add(&command, "first argument"));
    const mez_child child = {.command = &command, .output = output, .stop = stop ? stop : &own};
    const mez_error error = mez_child_run(&child);
    assert_int_equal(child.stop->count, 0);
    mez_words_finish(&command);
    return error;
}

static mez_error run_script(const char *folder, const char *script, mez_build_stop *stop)
{
    char *program = make_program(folder, script);
    const mez_error error = run(folder, program, stop);
    free(program);
    return error;
}

static void a_program_gets_its_arguments_and_no_input(void **state)
{
    assert_ok(run_script(*state, "cat; echo \"<$1>\"; echo wrong >&2", NULL));
    char path[256];
    mez_file file;
    snprintf(path, sizeof path, "%s/output", (char *)*state);
    assert_ok(mez_file_read(path, &file));
    assert_int_equal(file.size, strlen("<first argument>\nwrong\n"));
    assert_memory_equal(file.bytes, "<first argument>\nwrong\n", file.size);
    mez_file_finish(&file);
}

static void an_exit_status_is_told(void **state)
{
    assert_tells(
        run_script(*state, "exit 7", NULL), MEZ_ERRC_COMPILE_PROGRAM, "failed: exit status 7");
}

static void a_signal_is_told(void **state)
{
    assert_tells(run_script(*state, "kill -SEGV $$", NULL), MEZ_ERRC_COMPILE_PROGRAM,
        "was ended by signal 11 (Segmentation fault)");
}

static void a_program_that_is_not_there_is_told(void **state)
{
    assert_tells(run(*state, "mez-no-such-program", NULL), MEZ_ERRC_FILE,
        "mez-no-such-program can't be run: No such file or directory");
}

static void signals_that_are_blocked_here_are_not_blocked_there(void **state)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    const mez_error error = run_script(*state, "kill -TERM $$", NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_tells(error, MEZ_ERRC_COMPILE_PROGRAM, "signal 15");
}

static void *stop_when_it_runs(void *argument)
{
    mez_build_stop *stop = argument;
    for (bool runs = false; !runs; usleep(1000)) {
        pthread_mutex_lock(&stop->lock);
        runs = stop->count > 0;
        pthread_mutex_unlock(&stop->lock);
    }
    mez_build_stop_now(stop);
    return NULL;
}

static void a_program_that_is_stopped_ends(void **state)
{
    mez_build_stop stop = MEZ_BUILD_STOP_INIT;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_when_it_runs, &stop), 0);
    assert_tells(run_script(*state, "trap '' TERM INT; sleep 600; sleep 600", &stop),
        MEZ_ERRC_WRONG_STATE, "the build was stopped");
    pthread_join(thread, NULL);
}

static void nothing_starts_after_a_stop(void **state)
{
    mez_build_stop stop = MEZ_BUILD_STOP_INIT;
    mez_build_stop_now(&stop);
    assert_condition(run_script(*state, "exit 0", &stop), MEZ_ERRC_WRONG_STATE);
    assert_int_equal(count_files(*state), 1); // the script, and no output
}

static void a_scratch_folder_goes_with_all_that_is_in_it(void **state)
{
    mez_scratch scratch;
    assert_ok(mez_scratch_init(&scratch));
    char command[512];
    snprintf(command, sizeof command, "mkdir -p %s/a/b; touch %s/a/b/c %s/d", scratch.path,
        scratch.path, scratch.path);
    assert_int_equal(system(command), 0);
    assert_int_equal(count_files(*state), 1);
    mez_scratch_finish(&scratch);
    assert_int_equal(count_files(*state), 0);
}

static void a_scratch_folder_that_can_not_be_made_is_told(void **state)
{
    (void)state;
    mez_scratch scratch;
    setenv("TMPDIR", "/no/where", 1);
    assert_tells(mez_scratch_init(&scratch), MEZ_ERRC_FILE, "/no/where/mez-build-");
    assert_null(scratch.path);
    mez_scratch_finish(&scratch);
}

// --- Jobs

enum { JOBS = 100, FAILING = 40 };

struct seen {
    unsigned char done[JOBS]; // each by its own job
    uint32_t begun;
};

static mez_error do_job(void *context, uint32_t index)
{
    ((struct seen *)context)->done[index]++;
    return mez_ok();
}

static mez_error do_failing_job(void *context, uint32_t index)
{
    do_job(context, index);
    return index == FAILING ? mez_error_make(MEZ_ERRC_FILE, "job %u", (unsigned)index) : mez_ok();
}

static void hear(void *context, uint32_t index)
{
    assert_int_equal(index, ((struct seen *)context)->begun++);
}

static void every_job_is_done_once(void **state)
{
    (void)state;
    for (uint32_t at_once = 1; at_once < 9; at_once += 3) {
        struct seen seen = {0};
        const mez_jobs jobs = {JOBS, at_once, do_job, hear, &seen};
        assert_ok(mez_jobs_run(&jobs));
        assert_int_equal(seen.begun, JOBS);
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(seen.done[i], 1);
    }
}

static void a_failed_job_is_the_last(void **state)
{
    (void)state;
    struct seen seen = {0};
    const mez_jobs jobs = {JOBS, 1, do_failing_job, hear, &seen};
    assert_tells(mez_jobs_run(&jobs), MEZ_ERRC_FILE, "job 40");
    assert_int_equal(seen.begun, FAILING + 1);
    assert_int_equal(seen.done[FAILING + 1], 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_program_gets_its_arguments_and_no_input),
        TEST(an_exit_status_is_told),
        TEST(a_signal_is_told),
        TEST(a_program_that_is_not_there_is_told),
        TEST(signals_that_are_blocked_here_are_not_blocked_there),
        TEST(a_program_that_is_stopped_ends),
        TEST(nothing_starts_after_a_stop),
        TEST(a_scratch_folder_goes_with_all_that_is_in_it),
        TEST(a_scratch_folder_that_can_not_be_made_is_told),
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(a_failed_job_is_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
