// SPDX-License-Identifier: MIT

#include "interrupt.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/error.h"

static const int watched[INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

// Of the handler, which may run late in any thread: they stay.
static bool watching; // the main thread's
static sem_t woken;
static atomic_int caught; // 0: none

static void note(int number)
{
    const int error = errno;
    atomic_store(&caught, number);
    sem_post(&woken);
    errno = error;
}

static void *await_signal(void *argument)
{
    struct interrupt *interrupt = argument;
    while (sem_wait(&woken) != 0 && errno == EINTR)
        ;
    if (atomic_load(&caught))
        mez_stop_now(interrupt->stop);
    return NULL;
}

// Calls that wait are not restarted: ThreadSanitizer runs a handler only when the call that it interrupts has returned.
static void take_signals(struct interrupt *interrupt)
{
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < INTERRUPT_SIGNALS; i++)
        interrupt->taken[i] = sigaction(watched[i], NULL, &interrupt->before[i]) == 0 &&
                              interrupt->before[i].sa_handler != SIG_IGN &&
                              sigaction(watched[i], &action, NULL) == 0;
}

static void give_signals_back(const struct interrupt *interrupt)
{
    for (size_t i = 0; i < INTERRUPT_SIGNALS; i++)
        if (interrupt->taken[i])
            sigaction(watched[i], &interrupt->before[i], NULL);
}

static void end_watch(const struct interrupt *interrupt)
{
    give_signals_back(interrupt);
    mez_thread_set_stop(interrupt->stop_before);
    sem_post(&woken);
    pthread_join(interrupt->thread, NULL);
    watching = false;
}

static bool create_stop(struct interrupt *interrupt)
{
    const mez_error error = mez_stop_create(&interrupt->stop);
    mez_error_release(error);
    return !mez_failed(error);
}

static void watch(struct interrupt *interrupt)
{
    atomic_store(&caught, 0);
    if (sem_init(&woken, 0, 0) != 0 ||
        pthread_create(&interrupt->thread, NULL, await_signal, interrupt) != 0)
        return;
    watching = interrupt->running = true;
    interrupt->stop_before = mez_thread_set_stop(interrupt->stop);
    take_signals(interrupt);
}

// Where there is no memory, or no thread can be created, the signals end the program at once, as they do without this.
void interrupt_begin(struct interrupt *interrupt)
{
    *interrupt = (struct interrupt){0};
    if (!watching && create_stop(interrupt))
        watch(interrupt);
}

mez_error interrupt_check(mez_stop *stop)
{
    return mez_stop_is_set(stop) ? mez_error_make(MEZ_ERRC_WRONG_STATE, "mez was interrupted")
                                 : mez_ok();
}

const char *interrupt_name(void)
{
    switch (watching ? atomic_load(&caught) : 0) {
    case SIGINT:
        return "SIGINT";
    case SIGTERM:
        return "SIGTERM";
    case SIGHUP:
        return "SIGHUP";
    default:
        return NULL;
    }
}

void interrupt_end(struct interrupt *interrupt)
{
    if (interrupt->running)
        end_watch(interrupt);
    mez_stop_destroy(&interrupt->stop);
    if (interrupt->running && atomic_load(&caught))
        raise(atomic_load(&caught));
}
