// SPDX-License-Identifier: MIT

#include "child/stop.h"

#include <signal.h>

// What the programs write goes to a folder that is removed: there is nothing that they would have to tidy up.
void mez_stop_now(mez_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    stop->wanted = true;
    for (unsigned i = 0; i < stop->count; i++)
        kill(-stop->children[i], SIGKILL);
    pthread_mutex_unlock(&stop->lock);
}

bool mez_is_stopped(mez_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    const bool wanted = stop->wanted;
    pthread_mutex_unlock(&stop->lock);
    return wanted;
}

static _Thread_local mez_stop *of_thread;

mez_stop *mez_stop_of_thread_set(mez_stop *stop)
{
    mez_stop *before = of_thread;
    of_thread = stop;
    return before;
}

mez_stop *mez_stop_of_thread(void)
{
    return of_thread;
}

mez_error mez_stopped(void)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE, "it was stopped");
}
