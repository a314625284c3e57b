// SPDX-License-Identifier: MIT
//
// Where the code of checked kernels arrives when an access is not known to be right.

#include "checked.h"
#include "run.h"
#include "unwritten.h"
#include "worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Functions that were not inlined have no context.
_Thread_local struct zc_worker *zc_checked_running;

static void forget_ranges(struct zc_worker *worker, uint32_t count)
{
    struct zc_range *ranges = worker->checking.ranges.memory;
    for (uint32_t i = 0; i < count; i++)
        ranges[i] = (struct zc_range){.begin = UINT64_MAX}; // nothing is there
}

// Memory may have been freed since the last call: nothing is remembered beyond one.
bool zc_checked_begin(
    struct zc_worker *worker, const struct zc_kernel *kernel, const struct zc_group *group)
{
    struct zc_checking *checking = &worker->checking;
    if (!zc_block_reserve(&checking->ranges, (kernel->range_count + 1) * sizeof(struct zc_range)))
        return false;
    forget_ranges(worker, kernel->range_count);
    checking->kernel = kernel;
    checking->checker = group->checker;
    checking->stack = (uintptr_t)__builtin_frame_address(0);
    worker->context.ranges = (uintptr_t)checking->ranges.memory;
    checking->copy.is_there = false;
    zc_checked_running = worker;
    return !(group->checker->checks & ZC_CHECK_UNINITIALIZED) || zc_unwritten_begin(worker);
}

// ---- where an address lies ----

static bool is_within(struct zc_memory_range range, uintptr_t address)
{
    return address >= range.begin && address < range.end;
}

static struct zc_memory_range range_of(const void *memory, size_t size)
{
    const uintptr_t begin = (uintptr_t)memory;
    return (struct zc_memory_range){begin, begin + size};
}

static bool find_block(const struct block *block, uintptr_t address, struct zc_memory_range *range)
{
    *range = range_of(block->memory, block->size);
    return is_within(*range, address);
}

static bool find_frame(
    const struct zc_worker *worker, uintptr_t address, struct zc_memory_range *range)
{
    for (const struct chunk *chunk = worker->chunks; chunk != NULL; chunk = chunk->next) {
        *range = range_of(chunk, chunk->used);
        if (is_within(*range, address))
            return true;
    }
    return false;
}

static bool find_variable(
    const struct zc_checked_variables *variables, uintptr_t address, struct zc_memory_range *range)
{
    for (uint64_t i = 0; i < variables->count; i++) {
        const struct zc_checked_variable *variable = &variables->list[i];
        *range = (struct zc_memory_range){variable->address, variable->address + variable->size};
        if (is_within(*range, address))
            return true;
    }
    return false;
}

// The kernel's own stack is below that of who runs it.
static bool find_stack(
    const struct zc_worker *worker, uintptr_t address, struct zc_memory_range *range)
{
    *range =
        (struct zc_memory_range){(uintptr_t)__builtin_frame_address(0), worker->checking.stack};
    return is_within(*range, address);
}

static bool find_own(
    const struct zc_worker *worker, uintptr_t address, struct zc_memory_range *range)
{
    return find_stack(worker, address, range) || find_frame(worker, address, range) ||
           find_block(&worker->exchange, address, range);
}

bool zc_checked_is_own(const struct zc_worker *worker, uintptr_t address)
{
    struct zc_memory_range range;
    return find_own(worker, address, &range);
}

static bool find_range(const struct zc_worker *worker, const struct zc_access_site *site,
    uintptr_t address, struct zc_memory_range *range)
{
    struct zc_memory_range around;
    if (site->is_local || find_block(&worker->local_memory, address, &around)) {
        *range = range_of(zc_worker_local_memory(worker), worker->local_memory_size);
        return is_within(*range, address);
    }
    const struct zc_checker *checker = worker->checking.checker;
    const enum zc_permission permission = checker->find(checker, address, range);
    if (permission != ZC_MEMORY_UNKNOWN)
        return permission == ZC_MEMORY_ALLOWED;
    return find_own(worker, address, range) || find_variable(site->variables, address, range);
}

// ---- what is said ----

const char *zc_checked_verb(const struct zc_access_site *site)
{
    static const char *const verbs[] = {[ZC_ACCESS_READ] = "read",
        [ZC_ACCESS_WRITE] = "wrote",
        [ZC_ACCESS_ATOMIC] = "changed (atomically)",
        [ZC_ACCESS_ATOMIC_READ] = "read (atomically)"};
    return verbs[site->kind];
}

static void set_line(struct zc_place *place, const char *file, uint64_t line)
{
    if (file == NULL)
        return;
    snprintf(place->file, sizeof place->file, "%s", file);
    place->line = (uint32_t)line;
}

// The caller may not be left by a signal any more.
static _Noreturn void leave(struct zc_worker *worker, const struct zc_finding *finding)
{
    worker->watch->leave(worker->watch, finding);
}

_Noreturn void zc_checked_report(struct zc_worker *worker, const char *file, uint64_t line)
{
    struct zc_place *place = &worker->checking.finding.place;
    zc_worker_locate(worker, worker->checking.kernel, NULL, 0, place);
    set_line(place, file, line);
    leave(worker, &worker->checking.finding);
}

void zc_checked_describe_object(char *text, size_t size, const struct zc_access_site *site)
{
    static const char *const kinds[] = {[ZC_OBJECT_LOCAL] = "the local variable",
        [ZC_OBJECT_LOCAL_ARGUMENT] = "the local memory of argument",
        [ZC_OBJECT_PRIVATE] = "the private variable",
        [ZC_OBJECT_PROGRAM] = "the program-scope variable"};
    if (site->object == ZC_OBJECT_LOCAL_ARGUMENT)
        snprintf(text, size, "%s %" PRIu64, kinds[site->object], site->index);
    else if (*site->name != '\0')
        snprintf(text, size, "%s \"%s\"", kinds[site->object], site->name);
    else
        snprintf(text, size, "%s", kinds[site->object]);
}

static _Noreturn void report_object(struct zc_worker *worker, uint64_t offset, uint64_t size,
    uint64_t object_size, const struct zc_access_site *site)
{
    struct zc_finding *finding = &worker->checking.finding;
    char object[256];
    zc_checked_describe_object(object, sizeof object, site);
    snprintf(finding->text, sizeof finding->text,
        "%s %" PRIu64 " bytes at offset %" PRId64 " of %s, which has %" PRIu64 " bytes",
        zc_checked_verb(site), size, (int64_t)offset, object, object_size);
    finding->has_address = false;
    finding->allocation = 0;
    zc_checked_report(worker, site->file, site->line);
}

static _Noreturn void report_address(
    struct zc_worker *worker, uint64_t address, uint64_t size, const struct zc_access_site *site)
{
    struct zc_finding *finding = &worker->checking.finding;
    struct zc_memory_range local =
        range_of(zc_worker_local_memory(worker), worker->local_memory_size);
    finding->has_address = !site->is_local;
    finding->address = address;
    finding->allocation = 0;
    if (site->is_local)
        snprintf(finding->text, sizeof finding->text,
            "%s %" PRIu64 " bytes at offset %" PRId64 " of its local memory, which has %u bytes",
            zc_checked_verb(site), size, (int64_t)(address - local.begin),
            worker->local_memory_size);
    else
        snprintf(finding->text, sizeof finding->text,
            "%s %" PRIu64 " bytes where it may not access memory", zc_checked_verb(site), size);
    zc_checked_report(worker, site->file, site->line);
}

// ---- calls of the kernel ----

// What follows does not belong to the kernel and may not fault: a kernel that has used up its stack is to fault here.
#define STACK_NEEDED ((size_t)32 << 10)
#define STACK_STEP ((size_t)4 << 10)

static __attribute__((noinline)) void touch_stack(void)
{
    volatile char room[STACK_NEEDED];
    for (size_t at = STACK_NEEDED; at > 0; at -= STACK_STEP)
        room[at - 1] = 0, (void)room[at - 1];
}

void zc_checked_pause(void)
{
    touch_stack();
    zc_worker_leave_kernel(zc_checked_running);
}

void zc_checked_resume(void)
{
    if (zc_worker_enter_kernel(zc_checked_running))
        return;
    zc_worker_leave_kernel(zc_checked_running);
    leave(zc_checked_running, NULL);
}

void zc_check_range(
    struct zc_range *range, uint64_t address, uint64_t size, const struct zc_access_site *site)
{
    struct zc_worker *worker = zc_checked_running;
    struct zc_memory_range found;
    if (size == 0)
        return;
    zc_checked_pause();
    if (!find_range(worker, site, address, &found) || size > found.end - address)
        report_address(worker, address, size, site);
    if (range != NULL)
        *range = (struct zc_range){found.begin, found.end - found.begin - size};
    zc_checked_resume();
}

void zc_check_object(
    uint64_t offset, uint64_t size, uint64_t object_size, const struct zc_access_site *site)
{
    zc_checked_pause();
    report_object(zc_checked_running, offset, size, object_size, site);
}

// ---- barriers ----

static void describe_other(
    char *text, size_t size, const uint64_t id[3], const struct zc_barrier_site *site)
{
    char where[300] = "has ended";
    if (site != NULL && site->file != NULL)
        snprintf(
            where, sizeof where, "waits at another one, %.256s:%" PRIu64, site->file, site->line);
    else if (site != NULL)
        snprintf(where, sizeof where, "waits at another one");
    snprintf(text, size, "that with local id [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "] %s", id[0],
        id[1], id[2], where);
}

// The work-item stands there; the text is there.
_Noreturn static void report_stop(struct zc_worker *worker, struct zc_stop stop)
{
    struct zc_finding *finding = &worker->checking.finding;
    finding->has_address = false;
    finding->allocation = 0;
    worker->item = stop.item;
    zc_worker_locate(worker, worker->checking.kernel, NULL, 0, &finding->place);
    set_line(&finding->place, stop.site->file, stop.site->line);
    leave(worker, finding);
}

_Noreturn void zc_report_barrier(
    struct zc_worker *worker, struct zc_stop first, struct zc_stop second)
{
    struct zc_finding *finding = &worker->checking.finding;
    const struct zc_stop waiting = first.site != NULL ? first : second;
    const struct zc_stop other = first.site != NULL ? second : first;
    uint64_t id[3];
    char text[400];
    zc_worker_leave_kernel(worker);
    zc_worker_local_id(worker, other.item, id);
    describe_other(text, sizeof text, id, other.site);
    snprintf(finding->text, sizeof finding->text,
        "has a barrier that only some work-items of a group come to: this one waits, %s", text);
    report_stop(worker, waiting);
}

// ---- asynchronous copies ----

void zc_check_copy(uint64_t to, uint64_t from, uint64_t count, uint64_t stride)
{
    struct zc_copy_check *copy = &zc_checked_running->checking.copy;
    const uint64_t arguments[4] = {to, from, count, stride};
    if (!copy->is_there) {
        *copy = (struct zc_copy_check){.is_there = true, .first = zc_checked_running->item};
        memcpy(copy->arguments, arguments, sizeof arguments);
    } else if (!copy->differs && memcmp(copy->arguments, arguments, sizeof arguments) != 0) {
        copy->differs = true;
        copy->other = zc_checked_running->item;
    }
}

void zc_checked_end_copy(struct zc_worker *worker, const struct zc_barrier_site *site)
{
    struct zc_copy_check *copy = &worker->checking.copy;
    uint64_t id[3];
    copy->is_there = false;
    if (!copy->differs)
        return;
    copy->differs = false;
    zc_worker_leave_kernel(worker);
    zc_worker_local_id(worker, copy->first, id);
    snprintf(worker->checking.finding.text, sizeof worker->checking.finding.text,
        "gave an asynchronous copy other arguments than the work-item with local id [%" PRIu64
        ",%" PRIu64 ",%" PRIu64 "]",
        id[0], id[1], id[2]);
    report_stop(worker, (struct zc_stop){copy->other, site});
}
