// SPDX-License-Identifier: MIT
//
// SIGINT, SIGTERM and SIGHUP while there are temporary files: they stop what is being built, and the program ends by the signal once all is
// tidied up. Drivers have threads that block no signals, hence a handler: whoever is interrupted, a thread of ours is woken.

#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <pthread.h>
#include <signal.h>

#include <mezzanine/stop.h>

#define INTERRUPT_SIGNALS 3

struct interrupt {
    mez_stop *stop;        // NULL: nothing is stopped, for lack of memory
    mez_stop *stop_before; // of this thread
    struct sigaction before[INTERRUPT_SIGNALS];
    bool taken[INTERRUPT_SIGNALS];
    pthread_t thread;
    bool running;
};

// From here on the signals stop `interrupt->stop`, and what this thread runs without a stop of its own. One that the program was
// started to ignore is still ignored. Between another's begin and end nothing is done: it is that one's stop that they stop.
void interrupt_begin(struct interrupt *interrupt);

// The signals do again what they did. Ends the program if one has come: call it when everything is tidied up.
void interrupt_end(struct interrupt *interrupt);

// MEZ_ERRC_WRONG_STATE once one of them has come.
mez_error interrupt_check(mez_stop *stop);

// Which of them has come, as "SIGINT"; NULL: none.
const char *interrupt_name(void);

#endif
