// SPDX-License-Identifier: MIT

#include "child/stop.h"

#include <signal.h>

#include "base/alloc.h"

mez_error mez_stop_create(mez_stop **stop)
{
    MEZ_REQUIRE(stop, NULL);
    *stop = mez_new(mez_stop);
    if (!*stop)
        return mez_error_no_memory("a stop");
    pthread_mutex_init(&(*stop)->lock, NULL);
    return mez_ok();
}

void mez_stop_destroy(mez_stop **stop)
{
    if (!stop)
        return;
    mez_stop *old = *stop;
    *stop = NULL;
    if (!old)
        return;
    pthread_mutex_destroy(&old->lock);
    mez_free_memory(old);
}

// What the programs write goes to a folder that is removed: there is nothing that they would have to tidy up.
void mez_stop_now(mez_stop *stop)
{
    if (!stop)
        return;
    pthread_mutex_lock(&stop->lock);
    stop->wanted = true;
    for (unsigned i = 0; i < stop->count; i++)
        kill(-stop->children[i], SIGKILL);
    pthread_mutex_unlock(&stop->lock);
}

bool mez_stop_is_set(mez_stop *stop)
{
    if (!stop)
        return false;
    pthread_mutex_lock(&stop->lock);
    const bool wanted = stop->wanted;
    pthread_mutex_unlock(&stop->lock);
    return wanted;
}

static _Thread_local mez_stop *of_thread;

mez_stop *mez_thread_set_stop(mez_stop *stop)
{
    mez_stop *before = of_thread;
    of_thread = stop;
    return before;
}

mez_stop *mez_stop_of_thread(void)
{
    return of_thread;
}

mez_error mez_stopped(const char *what)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE, "%s was stopped", what);
}
