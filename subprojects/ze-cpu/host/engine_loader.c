// SPDX-License-Identifier: MIT
//
// Opening the engine half: ZE_CPU_ENGINE, else the library beside this one.
#include "engine_loader.h"

#include "build_log.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards engine
static const struct zc_engine *engine;

static const char *engine_path(char path[PATH_MAX])
{
    const char *chosen = secure_getenv("ZE_CPU_ENGINE");
    if (chosen && *chosen)
        return chosen;
    Dl_info self;
    const char *slash = dladdr(&engine, &self) ? strrchr(self.dli_fname, '/') : NULL;
    const int folder_length = slash ? (int)(slash + 1 - self.dli_fname) : 0;
    const char *folder = slash ? self.dli_fname : "";
    snprintf(path, PATH_MAX, "%.*s%s", folder_length, folder, ZC_ENGINE_LIBRARY);
    return path;
}

// dlsym gives an object pointer where ISO C wants a function pointer.
static zc_engine_get_fn find_getter(void *library)
{
    void *symbol = dlsym(library, ZC_ENGINE_GET);
    zc_engine_get_fn getter = NULL;
    memcpy(&getter, &symbol, sizeof getter);
    return getter;
}

static const struct zc_engine *open_engine(char **log)
{
    char buffer[PATH_MAX];
    const char *path = engine_path(buffer);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        zc_log_print(log, "error: ze-cpu cannot compile without its engine: %s\n", dlerror());
        return NULL;
    }
    const zc_engine_get_fn getter = find_getter(library);
    const struct zc_engine *found = getter ? getter() : NULL;
    if (found && found->version == ZC_ENGINE_VERSION)
        return found;
    zc_log_print(log, "error: %s is not an engine of version %d\n", path, ZC_ENGINE_VERSION);
    dlclose(library);
    return NULL;
}

const struct zc_engine *zc_engine_open(char **log)
{
    pthread_mutex_lock(&lock);
    if (!engine)
        engine = open_engine(log);
    const struct zc_engine *opened = engine;
    pthread_mutex_unlock(&lock);
    return opened;
}
