// SPDX-License-Identifier: MIT
//
// Shared memory that kernels may be using.
#include "shared_use.h"

#include "code_place.h"
#include "device.h"
#include "fault.h"
#include "loss.h"
#include "settings.h"
#include "worker.h"

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
    uint64_t opened; // how often
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
                                           closed ? PROT_NONE : PROT_READ | PROT_WRITE) == 0) {
        shared->is_closed = closed;
        shared->opened += !closed;
    }
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

// What is said when no lock is held: printing takes locks that a thread may have which waits in the handler.
struct finding {
    struct zc_touch touch; // address 0: there is none
    struct zc_memory_map *map;
    struct zc_runner *runner; // to be lost; NULL: its queue is gone
    char kernel[KERNEL_NAME_SIZE];
};

// Reports that end a queue are made one after the other, and queues don't go meanwhile. Taken before the other lock.
static pthread_mutex_t reporting = PTHREAD_MUTEX_INITIALIZER;

static bool is_to_be_reported(const struct shared *shared)
{
    return shared->touch.address && !shared->is_reported;
}

static struct finding take_finding(struct shared *shared)
{
    struct finding finding = {.touch = shared->touch, .map = shared->map, .runner = shared->runner};
    memcpy(finding.kernel, shared->kernel, sizeof finding.kernel);
    shared->is_reported = true;
    return finding;
}

static const char *verb_of(const struct zc_touch *touch)
{
#if defined(__x86_64__)
    return touch->is_write ? "wrote to" : "read";
#else
    (void)touch;
    return "touched";
#endif
}

static unsigned report(const struct finding *finding)
{
    const struct zc_touch *touch = &finding->touch;
    char story[ZC_LOSS_TEXT], code[320], memory[160];
    zc_code_describe(touch->code, code, sizeof code);
    zc_memory_map_describe(finding->map, touch->address, memory, sizeof memory);
    snprintf(story, sizeof story,
        "the program %s shared memory that kernel \"%s\" may be using: it is an argument, and the "
        "program has waited for nothing that shows the kernel to have ended (ZE_CPU_STRICT)%s; "
        "address 0x%zx%s",
        verb_of(touch), finding->kernel, code, (size_t)touch->address, memory);
    return zc_loss_note(story);
}

// ---- launches ----

static void note_launch(
    struct shared *shared, const struct zc_residency *launch, struct zc_runner *runner)
{
    shared->runner = runner;
    snprintf(shared->kernel, sizeof shared->kernel, "%s", launch->kernel->name);
}

static void begin(
    struct shared *shared, const struct zc_residency *launch, struct zc_runner *runner)
{
    shared->launches++;
    note_launch(shared, launch, runner);
}

// The address may have been freed and given out again since the launch.
static void end(struct shared *shared, const struct zc_residency *launch, struct zc_runner *runner)
{
    if (shared->launches == 0)
        return;
    shared->launches--;
    shared->ended = true;
    note_launch(shared, launch, runner);
}

// Calls `change` for the shared memory of each pointer argument, which is closed then. Returns what is to be reported of it.
static struct finding for_each_argument(const struct zc_residency *launch, struct zc_runner *runner,
    void (*change)(
        struct shared *shared, const struct zc_residency *launch, struct zc_runner *runner))
{
    struct finding finding = {.runner = NULL};
    pthread_mutex_lock(&all.lock);
    for (uint32_t i = 0; i < launch->kernel->argument_count; i++) {
        const struct zc_argument *argument = &launch->kernel->arguments[i];
        const char *address;
        if (!zc_argument_get_address(argument, launch->blob, &address))
            continue;
        struct shared *shared = find((uintptr_t)address);
        if (!shared)
            continue;
        change(shared, launch, runner);
        if (!shared->touch.address)
            set_closed(shared, true);
        else if (change == end && is_to_be_reported(shared))
            finding = take_finding(shared);
    }
    pthread_mutex_unlock(&all.lock);
    return finding;
}

void zc_shared_use_begin(const struct zc_residency *launch, struct zc_runner *runner)
{
    for_each_argument(launch, runner, begin);
}

bool zc_shared_use_end(
    const struct zc_residency *launch, struct zc_runner *of_queue, struct zc_runner *runner)
{
    const struct finding finding = for_each_argument(launch, of_queue, end);
    if (!finding.touch.address)
        return true;
    zc_runner_note_loss(runner, report(&finding));
    return false;
}

// The launch has ended well before the program touched its memory: what fails is what comes after it.
static void lose_late(const struct finding *finding)
{
    if (!finding->touch.address)
        return;
    const unsigned loss = report(finding);
    if (!finding->runner)
        return;
    zc_runner_note_loss(finding->runner, loss);
    finding->runner->failed(finding->runner);
}

static struct finding observe(struct shared *shared)
{
    struct finding finding = {.runner = NULL};
    shared->ended = false;
    if (shared->launches > 0)
        return finding;
    if (is_to_be_reported(shared))
        finding = take_finding(shared);
    shared->touch = (struct zc_touch){0};
    shared->is_reported = false;
    set_closed(shared, false);
    return finding;
}

// Of one allocation. False: there is no other.
static bool observe_next(struct finding *finding)
{
    pthread_mutex_lock(&all.lock);
    struct shared *shared = all.first;
    while (shared && !shared->ended)
        shared = shared->next;
    if (shared)
        *finding = observe(shared);
    pthread_mutex_unlock(&all.lock);
    return shared != NULL;
}

void zc_shared_use_observe(void)
{
    struct finding finding;
    if (!zc_settings.strict)
        return;
    pthread_mutex_lock(&reporting);
    while (observe_next(&finding))
        lose_late(&finding);
    pthread_mutex_unlock(&reporting);
}

void zc_shared_use_forget(const struct zc_runner *runner)
{
    if (!zc_settings.strict)
        return;
    pthread_mutex_lock(&reporting);
    pthread_mutex_lock(&all.lock);
    for (struct shared *shared = all.first; shared; shared = shared->next)
        if (shared->runner == runner)
            shared->runner = NULL;
    pthread_mutex_unlock(&all.lock);
    pthread_mutex_unlock(&reporting);
}

// ---- allocations that go ----

static bool is_meant(const struct shared *shared, ze_context_handle_t context, const void *base)
{
    return shared->allocation.context == context && (!base || shared->allocation.base == base);
}

// False: there is no other.
static bool remove_next(ze_context_handle_t context, const void *base, struct finding *finding)
{
    pthread_mutex_lock(&all.lock);
    struct shared **link = &all.first, *found;
    while ((found = *link) && !is_meant(found, context, base))
        link = &found->next;
    if (found) {
        *link = found->next;
        *finding =
            is_to_be_reported(found) ? take_finding(found) : (struct finding){.runner = NULL};
        set_closed(found, false);
    }
    pthread_mutex_unlock(&all.lock);
    free(found);
    return found != NULL;
}

void zc_shared_use_remove(ze_context_handle_t context, const void *base)
{
    struct finding finding;
    if (!zc_settings.strict)
        return;
    pthread_mutex_lock(&reporting);
    while (remove_next(context, base, &finding))
        lose_late(&finding);
    pthread_mutex_unlock(&reporting);
}

// ---- touches ----

// Another thread may have opened the pages since this one's access failed. It tries again, once: they may be closed by others, too.
static bool is_first_try(const struct zc_touch *touch, uint64_t opened)
{
    static _Thread_local struct {
        uintptr_t address, code;
        uint64_t opened;
    } last __attribute__((tls_model("initial-exec")));
    const bool first =
        last.address != touch->address || last.code != touch->code || last.opened != opened;
    last.address = touch->address;
    last.code = touch->code;
    last.opened = opened;
    return first;
}

static bool open_pages(struct shared *shared, const struct zc_touch *touch)
{
    if (!shared->is_closed)
        return is_first_try(touch, shared->opened);
    set_closed(shared, false);
    if (!touch->by_device)
        shared->touch = *touch;
    return !shared->is_closed;
}

bool zc_shared_use_open(const struct zc_touch *touch)
{
    if (!zc_settings.strict)
        return false;
    pthread_mutex_lock(&all.lock);
    struct shared *shared = find(touch->address);
    const bool opened = shared && open_pages(shared, touch);
    pthread_mutex_unlock(&all.lock);
    return opened;
}
