// SPDX-License-Identifier: MIT
//
// Threads of the driver's own.
#include "thread.h"

#include <signal.h>
#include <stddef.h>

// Everything but the signals that a fault raises in the thread itself.
static void fill_foreign_signals(sigset_t *set)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(set, own[i]);
}

bool zc_thread_start(pthread_t *thread, const char *name, void *(*body)(void *), void *argument)
{
    sigset_t foreign, before;
    fill_foreign_signals(&foreign);
    // A thread inherits its creator's mask, and a creator may have blocked what a fault raises.
    pthread_sigmask(SIG_SETMASK, &foreign, &before);
    const bool started = pthread_create(thread, NULL, body, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_setname_np(*thread, name);
    return started;
}
