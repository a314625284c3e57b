// SPDX-License-Identifier: MIT
//
// Programs are run to their end, and how they ended is reported.

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mezzanine/log.h>

#include "base/file.h"
#include "child/child.h"
#include "build/jobs.h"
#include "child/scratch.h"
#include "folder.h"
#include "toolchain.h"

static mez_error run(const char *folder, const char *program, mez_stop *stop)
{
    mez_stop own = MEZ_STOP_INIT;
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

static mez_error run_script(const char *folder, const char *script, mez_stop *stop)
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

static void an_exit_status_is_reported(void **state)
{
    assert_story(
        run_script(*state, "exit 7", NULL), MEZ_ERRC_COMPILE_PROGRAM, "failed: exit status 7");
}

static void a_signal_is_reported(void **state)
{
    assert_story(run_script(*state, "kill -SEGV $$", NULL), MEZ_ERRC_COMPILE_PROGRAM,
        "was ended by signal 11 (Segmentation fault)");
}

static void a_program_that_is_not_there_is_reported(void **state)
{
    assert_story(run(*state, "mez-no-such-program", NULL), MEZ_ERRC_FILE,
        "mez-no-such-program can't be run: No such file or directory");
}

// Programs of that name in a folder of PATH, and in the current folder.
static void the_current_folder_is_not_searched(void **state)
{
    static const char *const paths[] = {"", ".", ":", "bin", "bin:/no/where", "/no/where::."};
    char here[PATH_MAX], path[PATH_MAX], before[4096], elsewhere[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    snprintf(elsewhere, sizeof elsewhere, "%s/bin", (const char *)*state);
    assert_int_equal(mkdir(elsewhere, 0700), 0);
    free(make_program(*state, "exit 0"));
    free(make_program(elsewhere, "exit 0"));
    assert_int_equal(chdir(*state), 0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        setenv("PATH", paths[i], 1);
        assert_false(mez_program_find("program", path));
        assert_story(run(*state, "program", NULL), MEZ_ERRC_FILE, "program can't be run");
        signal(SIGCHLD, SIG_IGN); // then a shell starts it
        assert_story(run(*state, "program", NULL), MEZ_ERRC_FILE, "program can't be run");
        signal(SIGCHLD, SIG_DFL);
    }
    assert_true(mez_program_find("./program", path)); // the user says so
    setenv("PATH", elsewhere, 1);
    assert_true(mez_program_find("program", path));
    assert_ok(run(*state, "program", NULL));
    assert_int_equal(chdir(here), 0);
    setenv("PATH", before, 1);
}

// What the library was built with comes first; PATH is only for what was not there then.
static void the_program_of_the_build_comes_first(void **state)
{
    char path[PATH_MAX], before[4096], fake[PATH_MAX];
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    char *program = make_program(*state, "exit 0");
    snprintf(fake, sizeof fake, "%s/ocloc", (const char *)*state);
    assert_int_equal(rename(program, fake), 0);
    free(program);
    setenv("PATH", *state, 1);
    assert_true(mez_program_find("ocloc", path));
    assert_string_equal(path, access(MEZ_OCLOC_PATH, X_OK) == 0 ? MEZ_OCLOC_PATH : fake);
    setenv("PATH", before, 1);
}

static void signals_that_are_blocked_here_are_not_blocked_there(void **state)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    const mez_error error = run_script(*state, "kill -TERM $$", NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "signal 15");
}

// Not what glibc overwrites freed memory with, which Meson sets: llvm-spirv 15 reads such memory.
static void a_program_gets_the_environment(void **state)
{
    setenv("MALLOC_PERTURB_", "3", 1);
    setenv("MEZ_TEST_OWN", "here", 1);
    assert_ok(run_script(
        *state, "test \"$MEZ_TEST_OWN\" = here && test -z \"${MALLOC_PERTURB_+set}\"", NULL));
    unsetenv("MALLOC_PERTURB_");
    unsetenv("MEZ_TEST_OWN");
}

// --- Processes that do not wait for their children as others do

static void reap_all(int number)
{
    (void)number;
    const int error = errno;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    errno = error;
}

static void *reap_all_the_time(void *argument)
{
    for (const atomic_bool *done = argument; !atomic_load(done); usleep(100))
        reap_all(SIGCHLD);
    return NULL;
}

static void expect_all_ends(const char *folder)
{
    assert_ok(run_script(folder, "cat; echo \"<$1>\"; echo wrong >&2", NULL));
    char path[256];
    mez_file file;
    snprintf(path, sizeof path, "%s/output", folder);
    assert_ok(mez_file_read(path, &file));
    assert_int_equal(file.size, strlen("<first argument>\nwrong\n"));
    mez_file_finish(&file);
    assert_story(
        run_script(folder, "exit 7", NULL), MEZ_ERRC_COMPILE_PROGRAM, "failed: exit status 7");
    assert_story(run_script(folder, "kill -SEGV $$", NULL), MEZ_ERRC_COMPILE_PROGRAM,
        "was ended by signal 11 (Segmentation fault)");
    assert_story(run(folder, "mez-no-such-program", NULL), MEZ_ERRC_FILE,
        "mez-no-such-program can't be run: No such file or directory");
    // A program waits for its own.
    assert_ok(run_script(folder, "sh -c 'exit 3'; test $? = 3", NULL));
    assert_int_equal(count_files(folder), 2); // the script and the output
}

static void how_a_program_ended_is_known_whatever_is_done_about_it(void **state)
{
    const struct sigaction actions[] = {
        {.sa_handler = SIG_IGN},
        {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT},
        {.sa_handler = reap_all, .sa_flags = SA_RESTART},
        {.sa_handler = reap_all},
    };
    struct sigaction before;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        assert_int_equal(sigaction(SIGCHLD, &actions[i], &before), 0);
        expect_all_ends(*state);
        assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
    }
}

static void how_a_program_ended_is_known_where_others_wait_for_it(void **state)
{
    atomic_bool done = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, reap_all_the_time, &done), 0);
    for (int i = 0; i < 10; i++)
        expect_all_ends(*state);
    atomic_store(&done, true);
    pthread_join(thread, NULL);
}

static void *stop_when_it_runs(void *argument)
{
    mez_stop *stop = argument;
    for (bool runs = false; !runs; usleep(1000)) {
        pthread_mutex_lock(&stop->lock);
        runs = stop->count > 0;
        pthread_mutex_unlock(&stop->lock);
    }
    mez_stop_now(stop);
    return NULL;
}

static void a_program_that_is_stopped_ends(void **state)
{
    mez_stop stop = MEZ_STOP_INIT;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_when_it_runs, &stop), 0);
    assert_story(run_script(*state, "trap '' TERM INT; sleep 600; sleep 600", &stop),
        MEZ_ERRC_WRONG_STATE, " was stopped");
    pthread_join(thread, NULL);
}

static void a_program_that_is_stopped_ends_where_children_are_ignored(void **state)
{
    signal(SIGCHLD, SIG_IGN);
    a_program_that_is_stopped_ends(state);
    signal(SIGCHLD, SIG_DFL);
}

static void nothing_starts_after_a_stop(void **state)
{
    mez_stop stop = MEZ_STOP_INIT;
    mez_stop_now(&stop);
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

static void expect_scratch_in(const char *variable, const char *folder)
{
    mez_scratch scratch;
    setenv("TMPDIR", variable, 1);
    assert_ok(mez_scratch_init(&scratch));
    assert_int_equal(strncmp(scratch.path, folder, strlen(folder)), 0);
    assert_int_equal(strncmp(scratch.path + strlen(folder), "/mezzanine-", 11), 0);
    mez_scratch_finish(&scratch);
}

static void a_scratch_folder_has_a_name_for_compilers(void **state)
{
    static const char *const odd[] = {"a=b", "a\nb", "a\tb", "a\"b", "a\\b"};
    char path[256];
    assert_int_equal(chdir(*state), 0);
    assert_int_equal(mkdir("-rel", 0700), 0);
    snprintf(path, sizeof path, "%s/-rel", (const char *)*state);
    expect_scratch_in("-rel", path);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        snprintf(path, sizeof path, "%s/%s", (const char *)*state, odd[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        expect_scratch_in(path, "/tmp");
        expect_scratch_in(odd[i], "/tmp");
    }
    assert_int_equal(chdir("/"), 0);
}

static void a_scratch_folder_that_can_not_be_made_is_reported(void **state)
{
    (void)state;
    mez_scratch scratch;
    setenv("TMPDIR", "/no/where", 1);
    assert_story(mez_scratch_init(&scratch), MEZ_ERRC_FILE, "/no/where/mezzanine-");
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
    assert_story(mez_jobs_run(&jobs), MEZ_ERRC_FILE, "job 40");
    assert_int_equal(seen.begun, FAILING + 1);
    assert_int_equal(seen.done[FAILING + 1], 0);
}

enum { AT_ONCE = 4 };

static mez_error stop_together(void *context, uint32_t index)
{
    (void)index;
    pthread_barrier_wait(context);
    return mez_stopped("a program");
}

static void count_message(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)level, (void)topic, (void)message;
    ++*(uint32_t *)user;
}

// Each of them failed, but only because somebody wanted that.
static void jobs_that_were_stopped_are_no_errors_on_the_log(void **state)
{
    (void)state;
    uint32_t messages = 0;
    pthread_barrier_t all;
    pthread_barrier_init(&all, NULL, AT_ONCE);
    const mez_jobs jobs = {AT_ONCE, AT_ONCE, stop_together, NULL, &all};
    mez_log_set_function(count_message, &messages);
    assert_condition(mez_jobs_run(&jobs), MEZ_ERRC_WRONG_STATE);
    mez_log_set_function(NULL, NULL);
    pthread_barrier_destroy(&all);
    assert_int_equal(messages, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_program_gets_its_arguments_and_no_input),
        TEST(an_exit_status_is_reported),
        TEST(a_signal_is_reported),
        TEST(a_program_that_is_not_there_is_reported),
        TEST(the_current_folder_is_not_searched),
        TEST(the_program_of_the_build_comes_first),
        TEST(signals_that_are_blocked_here_are_not_blocked_there),
        TEST(a_program_gets_the_environment),
        TEST(how_a_program_ended_is_known_whatever_is_done_about_it),
        TEST(how_a_program_ended_is_known_where_others_wait_for_it),
        TEST(a_program_that_is_stopped_ends),
        TEST(a_program_that_is_stopped_ends_where_children_are_ignored),
        TEST(nothing_starts_after_a_stop),
        TEST(a_scratch_folder_goes_with_all_that_is_in_it),
        TEST(a_scratch_folder_has_a_name_for_compilers),
        TEST(a_scratch_folder_that_can_not_be_made_is_reported),
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(a_failed_job_is_the_last),
        cmocka_unit_test(jobs_that_were_stopped_are_no_errors_on_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
