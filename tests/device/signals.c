// SPDX-License-Identifier: MIT

#include "signals.h"

#include <signal.h>
#include <stdbool.h>

static struct sigaction on_fault;
static bool kept;

void mez_test_keep_signals(void)
{
    kept = sigaction(SIGSEGV, NULL, &on_fault) == 0 && on_fault.sa_handler != SIG_DFL;
}

void mez_test_restore_signals(void)
{
    if (kept)
        sigaction(SIGSEGV, &on_fault, NULL);
}
