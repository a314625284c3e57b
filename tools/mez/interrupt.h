// SPDX-License-Identifier: MIT
//
// SIGINT, SIGTERM and SIGHUP while files lie about: a thread waits for them, stops the build, and the program ends by the signal once
// all is tidied up.

#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <signal.h>

#include "build/stop.h"

struct interrupt {
    mez_build_stop stop;
    sigset_t signals, before;
    pthread_t thread;
    bool running;
    int caught; // 0: none; written by the thread before it ends
};

// From here on the signals stop `interrupt->stop`. One that the program was started to ignore is still ignored.
void interrupt_begin(struct interrupt *interrupt);

// The signals do again what they did. Ends the program if one has come: call it when everything is tidied up.
void interrupt_end(struct interrupt *interrupt);

#endif
