// SPDX-License-Identifier: MIT
//
// Starts a program on the device that MEZ_TEST_DEVICE names: on_device PROGRAM [ARGUMENT...]

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "select.h"

int main(int argc, char **argv)
{
    char reason[1024];
    if (argc < 2) {
        fprintf(stderr, "usage: on_device PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    if (!mez_test_select_device())
        return 2;
    if (mez_test_is_absent(reason, sizeof reason)) {
        printf("skip: %s\n", reason);
        return 77;
    }
    unsetenv("MEZ_TEST_DEVICE"); // the program is one of those that know nothing of tests
    execv(argv[1], argv + 1);
    fprintf(stderr, "on_device: %s: %s\n", argv[1], strerror(errno));
    return 2;
}
