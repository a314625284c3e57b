// SPDX-License-Identifier: MIT
//
// Threads of the driver's own.
#ifndef ZE_CPU_THREAD_H
#define ZE_CPU_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// Starts a thread that leaves the application's signals to the application's threads. False: no
// more threads.
bool zc_thread_start(pthread_t *thread, const char *name, void *(*body)(void *), void *argument);

#endif
