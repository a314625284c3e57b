// SPDX-License-Identifier: MIT
//
// Finds the dispatcher and its functions, once.

#include "table.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char mez_xpti_loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the loading
static atomic_bool tried;                                // what follows is final
static mez_dispatcher dispatcher;
static void *library;

enum { REQUIRED, OPTIONAL };

static const struct {
    const char *name;
    size_t offset; // of its pointer
    int need;
} functions[] = {
#define FUNCTION(need, type, name, parameters, arguments, otherwise) PROCEDURE(need, name, , )
#define PROCEDURE(need, name, parameters, arguments) {#name, offsetof(mez_dispatcher, name), need},
#include "functions.def"
#undef FUNCTION
#undef PROCEDURE
};

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

// --- Reports

static void report_to_stderr(const char *message)
{
    fprintf(stderr, "xpti: %s\n", message);
}

__attribute__((format(printf, 2, 3))) static void report_text(
    mez_xpti_report report, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (report ? report : report_to_stderr)(message);
}

static const char *file_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "an unnamed library";
}

// --- Loading

// A copy of the pointer's bytes: ISO C has no conversion from an object's pointer to a function's.
static void set_pointer(mez_dispatcher *table, size_t offset, const void *address)
{
    memcpy((char *)table + offset, &address, sizeof address);
}

// What is missing stays as it is in the table; the names of what is required of it are written, as far as there is room.
static bool find_functions(void *from, mez_dispatcher *table, char *missing, size_t room)
{
    missing[0] = '\0';
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        const void *address = dlsym(from, functions[i].name);
        if (address)
            set_pointer(table, functions[i].offset, address);
        if (address || functions[i].need == OPTIONAL)
            continue;
        const size_t used = strlen(missing);
        snprintf(missing + used, room - used, "%s%s", used ? ", " : "", functions[i].name);
    }
    return missing[0] == '\0';
}

// Global, so that subscribers that are not linked with a dispatcher find its functions. It is never closed: callbacks may run, and
// threads have its variables.
static bool load(const char *path, mez_xpti_report report)
{
    void *opened = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
    if (!opened) {
        report_text(report, "no tracing, as the dispatcher can't be opened: %s", dlerror());
        return false;
    }
    mez_dispatcher found = mez_no_dispatcher;
    char missing[512];
    if (!find_functions(opened, &found, missing, sizeof missing)) {
        report_text(report, "no tracing: \"%s\" is not a dispatcher, or is too old: it lacks %s",
            path, missing);
        dlclose(opened);
        return false;
    }
    dispatcher = found;
    library = opened;
    mez_dispatcher_use(&dispatcher);
    __atomic_store_n(&mez_xpti_loaded, 1, __ATOMIC_RELAXED);
    return true;
}

// --- A second dispatcher

// xptiReset is a function of dispatchers that proxies lack.
static const char *const only_dispatchers = "xptiReset";

static void report_second(mez_xpti_report report, const void *own, const void *other)
{
    report_text(report,
        "two dispatchers are in this process, and each tool receives the events of one only: "
        "events go through \"%s\", but \"%s\" is loaded too; set XPTI_FRAMEWORK_DISPATCHER to the "
        "latter, or link nothing with it",
        file_of(own), file_of(other));
}

// Tools are linked with libxptifw.so, and get whatever has that soname; programs may have one of another.
static void look_for_second(mez_xpti_report report)
{
    const void *own = dlsym(library, only_dispatchers);
    if (!own)
        return;
    const void *other = dlsym(RTLD_DEFAULT, only_dispatchers);
    void *named = NULL;
    if (!other || other == own) {
        named = dlopen("libxptifw.so", RTLD_LAZY | RTLD_NOLOAD);
        other = named ? dlsym(named, only_dispatchers) : NULL;
    }
    if (other && other != own)
        report_second(report, own, other);
    if (named)
        dlclose(named);
}

// --- What the others call

static bool load_once(const char *path, mez_xpti_report report)
{
    bool loaded = false;
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&tried, memory_order_relaxed)) {
        const char *wanted = path ? path : secure_getenv("XPTI_FRAMEWORK_DISPATCHER");
        loaded = wanted && *wanted && load(wanted, report);
        if (!loaded)
            mez_dispatcher_use(&mez_no_dispatcher);
        atomic_store_explicit(&tried, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return loaded;
}

// The dispatcher loads its subscribers at its first call, and these may bring another one. No lock is held while they start.
bool mez_xpti_load(const char *path, mez_xpti_report report)
{
    if (!atomic_load_explicit(&tried, memory_order_acquire) && load_once(path, report)) {
        dispatcher.xptiTraceEnabled();
        look_for_second(report);
    }
    return mez_xpti_on();
}
