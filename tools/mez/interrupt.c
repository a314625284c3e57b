// SPDX-License-Identifier: MIT

#include "interrupt.h"

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};

static void *await_signal(void *argument)
{
    struct interrupt *interrupt = argument;
    int signal;
    if (sigwait(&interrupt->signals, &signal) != 0)
        return NULL;
    interrupt->caught = signal;
    mez_build_stop_now(&interrupt->stop);
    return NULL;
}

static void choose_signals(sigset_t *signals)
{
    sigemptyset(signals);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        struct sigaction action;
        if (sigaction(watched[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(signals, watched[i]);
    }
}

void interrupt_begin(struct interrupt *interrupt)
{
    *interrupt = (struct interrupt){.stop = MEZ_BUILD_STOP_INIT};
    choose_signals(&interrupt->signals);
    pthread_sigmask(SIG_BLOCK, &interrupt->signals, &interrupt->before);
    interrupt->running = pthread_create(&interrupt->thread, NULL, await_signal, interrupt) == 0;
    if (!interrupt->running) // then they end the program at once, as without us
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}

// sigwait is where the thread can be cancelled, and a signal that it has taken stays noted.
void interrupt_end(struct interrupt *interrupt)
{
    if (!interrupt->running)
        return;
    pthread_cancel(interrupt->thread);
    pthread_join(interrupt->thread, NULL);
    if (interrupt->caught)
        raise(interrupt->caught);
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}
