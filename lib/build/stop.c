// SPDX-License-Identifier: MIT

#include "build/stop.h"

#include <signal.h>

// What the programs write goes to a folder that is removed: there is nothing that they would have to tidy up.
void mez_build_stop_now(mez_build_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    stop->wanted = true;
    for (unsigned i = 0; i < stop->count; i++)
        kill(-stop->children[i], SIGKILL);
    pthread_mutex_unlock(&stop->lock);
}

bool mez_build_is_stopped(mez_build_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    const bool wanted = stop->wanted;
    pthread_mutex_unlock(&stop->lock);
    return wanted;
}

mez_error mez_build_stopped(void)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE, "the build was stopped");
}
