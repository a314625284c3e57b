// SPDX-License-Identifier: MIT
//
// Where the code of kernels arrives that are checked for uses of what nobody has written.

#include "unwritten.h"
#include "checked.h"
#include "runtime.h"
#include "worker.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More than MemorySanitizer needs in any version of LLVM; arguments come first.
#define STATE_SIZE ((size_t)8 << 10)
#define ARGUMENTS_OF_WRAPPER ((size_t)64)

struct zc_shadow_view zc_shadow_view;

// ---- private variables ----

// A value may go through memory to a kernel of another module: numbers are the process's. Of those beyond the table the name is
// not known.
#define VARIABLES_KEPT 4096u

static struct {
    pthread_mutex_t lock; // guards what follows
    char *names[VARIABLES_KEPT];
    uint32_t count;
} variables = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t find_name(const char *name)
{
    uint32_t i = 0;
    while (i < variables.count && strcmp(variables.names[i], name) != 0)
        i++;
    if (i < variables.count || i == VARIABLES_KEPT)
        return i;
    variables.names[i] = strdup(name);
    if (variables.names[i] == NULL)
        return VARIABLES_KEPT;
    return variables.count++;
}

static uint32_t new_origin(const char *name)
{
    pthread_mutex_lock(&variables.lock);
    const uint32_t index = find_name(name);
    pthread_mutex_unlock(&variables.lock);
    return ZC_ORIGIN_VARIABLE + index;
}

static uint32_t origin_of(struct zc_unwritten_variable *variable)
{
    uint64_t origin = atomic_load_explicit(&variable->origin, memory_order_relaxed);
    if (origin != 0)
        return (uint32_t)origin;
    zc_checked_pause();
    origin = new_origin(variable->name);
    atomic_store_explicit(&variable->origin, origin, memory_order_relaxed);
    zc_checked_resume();
    return (uint32_t)origin;
}

// Variables of coroutines may be on the stack, too.
static void note_stack(struct zc_worker *worker, uintptr_t address)
{
    struct zc_unwritten *unwritten = &worker->checking.unwritten;
    const bool on_stack =
        address >= (uintptr_t)__builtin_frame_address(0) && address < worker->checking.stack;
    if (on_stack && (unwritten->stack == 0 || address < unwritten->stack))
        unwritten->stack = address;
}

void zc_unwritten_variable(void *address, uint64_t size, struct zc_unwritten_variable *variable)
{
    const uint32_t origin = origin_of(variable);
    note_stack(zc_checked_worker(), (uintptr_t)address);
    zc_shadow_set_unwritten(zc_shadow_view.shadow, address, size, origin);
}

static void describe_origin(uint32_t origin, char *text, size_t size)
{
    *text = '\0';
    if (origin == ZC_ORIGIN_LOCAL)
        snprintf(text, size, ", of local memory");
    if (origin < ZC_ORIGIN_VARIABLE || origin >= ZC_ORIGIN_ALLOCATION)
        return;
    pthread_mutex_lock(&variables.lock);
    const uint32_t index = origin - ZC_ORIGIN_VARIABLE;
    const char *name = index < variables.count ? variables.names[index] : "";
    snprintf(
        text, size, *name ? ", of the private variable \"%s\"" : ", of a private variable", name);
    pthread_mutex_unlock(&variables.lock);
}

// ---- findings ----

static const char *use_of(const struct zc_use_site *site)
{
    static const char *const uses[] = {[ZC_USE_VALUE] = "used",
        [ZC_USE_BRANCH] = "branched on",
        [ZC_USE_ADDRESS] = "used as an address or an index",
        [ZC_USE_DIVISOR] = "divided by",
        [ZC_USE_ATOMIC] = "gave an atomic operation",
        [ZC_USE_PRINTF] = "printed"};
    return uses[site->use];
}

_Noreturn void zc_report_unwritten(uint32_t origin, const struct zc_use_site *site)
{
    zc_checked_pause();
    struct zc_worker *worker = zc_checked_worker();
    struct zc_finding *finding = &worker->checking.finding;
    char where[300];
    describe_origin(origin, where, sizeof where);
    snprintf(finding->text, sizeof finding->text, "%s a value that nobody has written%s",
        use_of(site), where);
    finding->has_address = false;
    finding->allocation = origin & ZC_ORIGIN_ALLOCATION ? origin & ~ZC_ORIGIN_ALLOCATION : 0;
    zc_unwritten_end(worker);
    zc_checked_report(worker, site->file, site->line);
}

void zc_use_memory(const void *address, uint64_t size, const struct zc_use_site *site)
{
    uint32_t origin;
    if (zc_shadow_find_unwritten(zc_shadow_view.shadow, address, size, &origin))
        zc_report_unwritten(origin, site);
}

void zc_use_printf(
    uint32_t count, const uint32_t *shapes, const void *slots, const struct zc_use_site *site)
{
    for (uint32_t i = 0; i < count; i++)
        zc_use_memory((const char *)slots + (size_t)i * ZC_PRINTF_SLOT,
            (uint64_t)(shapes[i] >> 8) * (shapes[i] & 0xff), site);
}

// ---- memory ----

// An access that lies in two regions has no one place in the shadow: the memory counts as written, whether it is stored to or read.
struct zc_shadow_place zc_shadow_across(uintptr_t address, uint64_t size, uint64_t is_store)
{
    if (is_store)
        zc_shadow_set_written(zc_shadow_view.shadow, (void *)address, size);
    struct zc_shadow_region *region = is_store ? zc_shadow_view.sink : zc_shadow_view.nothing;
    return (struct zc_shadow_place){region->unwritten, region->origins};
}

void zc_written(void *address, uint64_t size)
{
    zc_shadow_set_written(zc_shadow_view.shadow, address, size);
}

void *zc_written_memcpy(void *to, const void *from, uint64_t size)
{
    zc_shadow_copy(zc_shadow_view.shadow, to, from, size);
    return memmove(to, from, size);
}

void *zc_written_memmove(void *to, const void *from, uint64_t size)
{
    return zc_written_memcpy(to, from, size);
}

void *zc_written_memset(void *to, int value, uint64_t size)
{
    zc_shadow_set_written(zc_shadow_view.shadow, to, size);
    return memset(to, value, size);
}

// Where a value came from is of no use if it can't be said for all of it.
void zc_written_set_origin(void *address, uint64_t size, uint32_t origin)
{
    (void)address, (void)size, (void)origin;
}

void *zc_unwritten_state(void)
{
    return zc_checked_worker()->checking.unwritten.state.memory;
}

void *zc_unwritten_new_state(void)
{
    return memset(zc_unwritten_state(), 0, ARGUMENTS_OF_WRAPPER);
}

// ---- workers ----

static bool set_view(struct zc_shadow *shadow)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (zc_shadow_view.nothing == NULL)
        zc_shadow_view.nothing = zc_shadow_map(sizeof(struct zc_shadow_region));
    if (zc_shadow_view.sink == NULL)
        zc_shadow_view.sink = zc_shadow_map(sizeof(struct zc_shadow_region));
    if (zc_shadow_view.shadow == NULL) // others read it
        zc_shadow_view.shadow = shadow;
    const bool ok = shadow != NULL && zc_shadow_view.nothing != NULL && zc_shadow_view.sink != NULL;
    pthread_mutex_unlock(&lock);
    return ok;
}

bool zc_unwritten_begin(struct zc_worker *worker)
{
    struct zc_unwritten *unwritten = &worker->checking.unwritten;
    zc_unwritten_end(worker); // in case it was left by a signal
    if (unwritten->shadow == NULL && !set_view(worker->checking.checker->shadow))
        return false;
    unwritten->shadow = worker->checking.checker->shadow;
    unwritten->local_region =
        zc_shadow_region_of(unwritten->shadow, (uintptr_t)zc_worker_local_memory(worker));
    return unwritten->local_region != NULL && zc_block_reserve(&unwritten->state, STATE_SIZE);
}

void zc_unwritten_begin_group(struct zc_worker *worker)
{
    struct zc_unwritten *unwritten = &worker->checking.unwritten;
    unwritten->local_memory = zc_worker_local_memory(worker);
    unwritten->local_size = worker->local_memory_size;
    zc_shadow_set_unwritten(
        unwritten->shadow, unwritten->local_memory, unwritten->local_size, ZC_ORIGIN_LOCAL);
}

void zc_unwritten_end(struct zc_worker *worker)
{
    struct zc_unwritten *unwritten = &worker->checking.unwritten;
    if (unwritten->stack != 0)
        zc_shadow_forget(
            unwritten->shadow, (void *)unwritten->stack, unwritten->stack_end - unwritten->stack);
    if (unwritten->local_memory != NULL)
        zc_shadow_forget(unwritten->shadow, unwritten->local_memory, unwritten->local_size);
    unwritten->local_memory = NULL;
    unwritten->stack = 0;
    unwritten->stack_end = worker->checking.stack;
}

void zc_unwritten_forget(const struct zc_worker *worker, const void *memory, size_t size)
{
    if (worker->checking.unwritten.shadow != NULL)
        zc_shadow_forget(worker->checking.unwritten.shadow, memory, size);
}
