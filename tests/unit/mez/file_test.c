// SPDX-License-Identifier: MIT
//
// Files that the mez command writes where there is no room for them.

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"

static void what_does_not_fit_leaves_nothing(void **state)
{
    (void)state;
    char path[] = "/tmp/mez-file-XXXXXX";
    static const char bytes[8192];
    struct problem problem;
    struct rlimit before, small;
    close(mkstemp(path));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 4096, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const bool written = file_write(path, bytes, sizeof bytes, &problem);
    const bool left = access(path, F_OK) == 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    unlink(path);
    assert_false(written);
    assert_false(left);
    assert_non_null(strstr(problem.text, "File too large"));
}

static void a_device_stays(void **state)
{
    (void)state;
    struct problem problem;
    assert_false(file_write("/dev/full", "x", 1, &problem));
    assert_non_null(strstr(problem.text, "No space left"));
    assert_int_equal(access("/dev/full", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_leaves_nothing),
        cmocka_unit_test(a_device_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
