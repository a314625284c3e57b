// SPDX-License-Identifier: MIT
//
// Asking in a process of its own: whatever the other process does, this one goes on and knows.

#include "../unit.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "apart.h"

struct answer {
    int number;
};

static void add_one(const void *question, void *answer)
{
    ((struct answer *)answer)->number = *(const int *)question + 1;
}

static void crash(const void *question, void *answer)
{
    add_one(question, answer); // without success
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void end_process(const void *question, void *answer)
{
    (void)question, (void)answer;
    _exit(7);
}

static void hang(const void *question, void *answer)
{
    (void)question, (void)answer;
    while (true)
        pause();
}

static void print(const void *question, void *answer)
{
    puts("to stdout");
    fflush(stdout);
    fputs("to stderr\n", stderr);
    add_one(question, answer);
}

// Sets `end`.
static bool ask(struct apart *apart, struct answer *answer, char end[128])
{
    static const int question = 41;
    apart->question = &question;
    apart->answer = answer;
    apart->size = sizeof *answer;
    return apart_ask(apart, end, 128);
}

static void the_answer_comes_back(void **state)
{
    (void)state;
    struct answer answer = {.number = -1};
    char end[128];
    assert_true(ask(&(struct apart){.work = add_one}, &answer, end));
    assert_int_equal(answer.number, 42);
    assert_string_equal(end, "");
}

static void a_crash_is_reported(void **state)
{
    (void)state;
    struct answer answer = {.number = -1};
    char end[128];
    assert_false(ask(&(struct apart){.work = crash}, &answer, end));
    assert_int_equal(answer.number, 0);
    assert_string_equal(end, "the driver crashed: Aborted");
}

static void an_end_is_reported(void **state)
{
    (void)state;
    struct answer answer;
    char end[128];
    assert_false(ask(&(struct apart){.work = end_process}, &answer, end));
    assert_string_equal(end, "the driver ended the process with exit code 7");
}

static void who_hangs_is_ended(void **state)
{
    (void)state;
    struct answer answer;
    char end[128];
    assert_false(ask(&(struct apart){.work = hang, .seconds = 1}, &answer, end));
    assert_string_equal(end, "the driver did not answer within 1 s");
}

static void what_is_printed_is_kept(void **state)
{
    (void)state;
    struct answer answer;
    char end[128], printed[64];
    struct apart apart = {.work = print, .printed = printed, .printed_size = sizeof printed};
    assert_true(ask(&apart, &answer, end));
    assert_int_equal(answer.number, 42);
    assert_string_equal(printed, "to stdout\nto stderr\n");
}

static void what_is_printed_is_cut_to_its_room(void **state)
{
    (void)state;
    struct answer answer;
    char end[128], printed[] = "------------";
    struct apart apart = {.work = print, .printed = printed, .printed_size = 6};
    assert_true(ask(&apart, &answer, end));
    assert_string_equal(printed, "to st");
    assert_string_equal(printed + 6, "------");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_comes_back),
        cmocka_unit_test(a_crash_is_reported),
        cmocka_unit_test(an_end_is_reported),
        cmocka_unit_test(who_hangs_is_ended),
        cmocka_unit_test(what_is_printed_is_kept),
        cmocka_unit_test(what_is_printed_is_cut_to_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
