// SPDX-License-Identifier: MIT
//
// Shared memory that kernels may be using.
#include "shared_use.h"

#include "device.h"
#include "fault.h"
#include "loss.h"
#include "settings.h"
#include "worker.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KERNEL_NAME_SIZE 128

struct shared {
    struct shared *next;
    struct zc_memory_map *map; // that it is in
    struct zc_allocation allocation;
    uint32_t launches; // that have it as an argument and have not ended
    bool ended;        // some have, which the program does not know
    bool is_closed;
    bool is_reported;
    struct zc_touch touch; // the program's first; address 0: there is none
    // Of the newest launch. NULL: its queue is gone.
    struct zc_runner *runner;
    char kernel[KERNEL_NAME_SIZE];
};

// The handler takes the lock, too: nothing faults while it is held.
static struct {
    pthread_mutex_t lock; // guards what follows
    struct shared *first;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool zc_shared_use_is_watched(ze_device_handle_t device)
{
    return zc_settings.strict && device && device->persona->discrete &&
           !(device->persona->access.shared & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT);
}

// ---- allocations; the caller has the lock, here and below ----

static bool contains(const struct shared *shared, uintptr_t address)
{
    const uintptr_t base = (uintptr_t)shared->allocation.base;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return address >= base && address < (base + shared->allocation.size + page - 1) / page * page;
}

static struct shared *find(uintptr_t address)
{
    struct shared *shared = all.first;
    while (shared && !contains(shared, address))
        shared = shared->next;
    return shared;
}

// What the system does not close is not looked at.
static void set_closed(struct shared *shared, bool closed)
{
    if (shared->is_closed != closed && mprotect(shared->allocation.base, shared->allocation.size,
                                           closed ? PROT_NONE : PROT_READ | PROT_WRITE) == 0)
        shared->is_closed = closed;
}

bool zc_shared_use_add(struct zc_memory_map *map, const struct zc_allocation *allocation)
{
    struct shared *shared = calloc(1, sizeof *shared);
    if (!shared)
        return false;
    zc_guard_install();
    shared->map = map;
    shared->allocation = *allocation;
    pthread_mutex_lock(&all.lock);
    shared->next = all.first;
    all.first = shared;
    pthread_mutex_unlock(&all.lock);
    return true;
}

// ---- what is reported ----

static const char *verb_of(const struct zc_touch *touch)
{
#if defined(__x86_64__)
    return touch->is_write ? "wrote to" : "read";
#else
    (void)touch;
    return "touched";
#endif
}

// A place that addr2line takes.
static void describe_code(uintptr_t code, char *text, size_t size)
{
    Dl_info info;
    if (code == 0 || dladdr((const void *)code, &info) == 0 || !info.dli_fname)
        return;
    snprintf(text, size, ", at %s+0x%zx", info.dli_fname, code - (uintptr_t)info.dli_fbase);
}

static unsigned report(struct shared *shared, const char *kernel)
{
    const struct zc_touch *touch = &shared->touch;
    char story[ZC_LOSS_TEXT], code[320] = "", memory[160];
    describe_code(touch->code, code, sizeof code);
    zc_memory_map_describe(shared->map, touch->address, memory, sizeof memory);
    snprintf(story, sizeof story,
        "the program %s shared memory that kernel \"%s\" may be using: it is an argument, and the "
        "program has waited for nothing that shows the kernel to have ended (ZE_CPU_STRICT)%s; "
        "address 0x%zx%s",
        verb_of(touch), kernel, code, (size_t)touch->address, memory);
    shared->is_reported = true;
    return zc_loss_note(story);
}

static bool is_to_be_reported(const struct shared *shared)
{
    return shared->touch.address && !shared->is_reported;
}

// ---- launches ----

// Calls `change` for the shared memory of each pointer argument.
static bool for_each_argument(const struct zc_residency *launch, struct zc_runner *runner,
    bool (*change)(struct shared *shared, const char *kernel, struct zc_runner *runner))
{
    bool ok = true;
    for (uint32_t i = 0; i < launch->kernel->argument_count; i++) {
        const struct zc_argument *argument = &launch->kernel->arguments[i];
        uintptr_t address;
        if (argument->kind != ZC_ARGUMENT_GLOBAL)
            continue;
        memcpy(&address, launch->blob + argument->offset, sizeof address);
        struct shared *shared = find(address);
        if (shared)
            ok &= change(shared, launch->kernel->name, runner);
    }
    return ok;
}

static bool begin(struct shared *shared, const char *kernel, struct zc_runner *runner)
{
    shared->launches++;
    shared->runner = runner;
    snprintf(shared->kernel, sizeof shared->kernel, "%s", kernel);
    if (!shared->touch.address)
        set_closed(shared, true);
    return true;
}

void zc_shared_use_begin(const struct zc_residency *launch, struct zc_runner *runner)
{
    pthread_mutex_lock(&all.lock);
    for_each_argument(launch, runner, begin);
    pthread_mutex_unlock(&all.lock);
}

// The address may have been freed and given out again since the launch.
static bool end(struct shared *shared, const char *kernel, struct zc_runner *runner)
{
    if (shared->launches == 0)
        return true;
    shared->launches--;
    shared->ended = true;
    if (is_to_be_reported(shared)) {
        zc_runner_note_loss(runner, report(shared, kernel));
        return false;
    }
    if (!shared->touch.address)
        set_closed(shared, true);
    return true;
}

bool zc_shared_use_end(const struct zc_residency *launch, struct zc_runner *runner)
{
    pthread_mutex_lock(&all.lock);
    const bool ok = for_each_argument(launch, runner, end);
    pthread_mutex_unlock(&all.lock);
    return ok;
}

// The launch has ended well before the program touched its memory: what fails is what comes after it.
static void lose_late(struct shared *shared)
{
    const unsigned loss = report(shared, shared->kernel);
    if (!shared->runner)
        return;
    zc_runner_note_loss(shared->runner, loss);
    shared->runner->failed(shared->runner);
}

static void observe(struct shared *shared)
{
    if (is_to_be_reported(shared) && shared->launches == 0)
        lose_late(shared);
    shared->ended = false;
    if (shared->launches > 0)
        return;
    shared->touch = (struct zc_touch){0};
    shared->is_reported = false;
    set_closed(shared, false);
}

void zc_shared_use_observe(void)
{
    if (!zc_settings.strict)
        return;
    pthread_mutex_lock(&all.lock);
    for (struct shared *shared = all.first; shared; shared = shared->next)
        if (shared->ended)
            observe(shared);
    pthread_mutex_unlock(&all.lock);
}

void zc_shared_use_forget(const struct zc_runner *runner)
{
    if (!zc_settings.strict)
        return;
    pthread_mutex_lock(&all.lock);
    for (struct shared *shared = all.first; shared; shared = shared->next)
        if (shared->runner == runner)
            shared->runner = NULL;
    pthread_mutex_unlock(&all.lock);
}

// ---- allocations that go ----

static bool is_meant(const struct shared *shared, const struct zc_memory_map *map, const void *base)
{
    return shared->map == map && (!base || shared->allocation.base == base);
}

static void give_back(struct shared *shared)
{
    if (is_to_be_reported(shared))
        lose_late(shared);
    set_closed(shared, false);
    free(shared);
}

void zc_shared_use_remove(const struct zc_memory_map *map, const void *base)
{
    if (!zc_settings.strict)
        return;
    pthread_mutex_lock(&all.lock);
    for (struct shared **link = &all.first, *shared; (shared = *link);) {
        if (is_meant(shared, map, base)) {
            *link = shared->next;
            give_back(shared);
        } else {
            link = &shared->next;
        }
    }
    pthread_mutex_unlock(&all.lock);
}

// ---- touches ----

bool zc_shared_use_open(const struct zc_touch *touch)
{
    if (!zc_settings.strict)
        return false;
    pthread_mutex_lock(&all.lock);
    struct shared *shared = find(touch->address);
    if (shared && shared->is_closed) { // or else another thread has just opened them
        set_closed(shared, false);
        if (!touch->by_device)
            shared->touch = *touch;
    }
    pthread_mutex_unlock(&all.lock);
    return shared != NULL;
}
