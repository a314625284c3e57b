// SPDX-License-Identifier: MIT
//
// Turns LLVM's fatal errors into failed builds.

#include "guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

#include <llvm-c/ErrorHandling.h>

struct guard {
    jmp_buf escape;
    struct zc_log *log;
};

static _Thread_local struct guard *current;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Errors outside of our builds keep LLVM's own behaviour: returning makes it exit.
static void escape(const char *reason)
{
    struct guard *guard = current;
    if (guard == NULL)
        return;
    zc_log_add(guard->log, "error: the compiler gave up: %s", reason);
    longjmp(guard->escape, 1);
}

static void install(void)
{
    LLVMInstallFatalErrorHandler(escape);
}

bool zc_guarded(bool (*work)(void *data), void *data, struct zc_log *log, bool *result)
{
    pthread_once(&once, install);
    struct guard guard = {.log = log};
    current = &guard;
    const bool intact = setjmp(guard.escape) == 0;
    if (intact)
        *result = work(data);
    current = NULL;
    return intact;
}
