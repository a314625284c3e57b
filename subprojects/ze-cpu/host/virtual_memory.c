// SPDX-License-Identifier: MIT
//
// Reservations are mappings without access (PROT_NONE), physical memory is a file in memory (memfd), and mapping puts pages of the file
// in the place of the reservation's.
#include "virtual_memory.h"

#include "check.h"
#include "context.h"
#include "device.h"
#include "device_memory.h"
#include "external.h"
#include "own.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <ze_newer.h>

struct _ze_physical_mem_handle_t {
    int fd;
    size_t size;
    uint64_t id; // no other has it
    ze_device_handle_t device;
    bool counts; // in the device's memory: it is not imported
};

static atomic_ullong last_id;

#define ACCESS_MASK 3u
#define HAS_MEMORY 4u

static struct {
    pthread_mutex_t lock; // guards what follows
    struct zc_reservation *first;
} reservations = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_aligned(uintptr_t value)
{
    return value % ZC_VIRTUAL_PAGE == 0;
}

static ze_result_t check_size(size_t size)
{
    ZC_REQUIRE(size && is_aligned(size), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t check_range(ze_context_handle_t context, const void *pointer, size_t size)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE(is_aligned((uintptr_t)pointer), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    return check_size(size);
}

static ze_result_t check_access(ze_memory_access_attribute_t access)
{
    ZC_REQUIRE(access <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return ZE_RESULT_SUCCESS;
}

// ---- reservations; the caller has the lock, except where it is taken ----

// The one around all of the range that the context knows; NULL: there is none.
static struct zc_reservation *find(ze_context_handle_t context, const char *begin, size_t size)
{
    struct zc_reservation *found = reservations.first;
    while (found && !(begin >= found->base && begin < found->base + found->size))
        found = found->next;
    const bool is_known = found && (!zc_settings.strict || found->context == context);
    return is_known && size <= (size_t)(found->base + found->size - begin) ? found : NULL;
}

static size_t page_of(const struct zc_reservation *reservation, const char *address)
{
    return (size_t)(address - reservation->base) / ZC_VIRTUAL_PAGE;
}

static int protection(unsigned page)
{
    switch (page & ACCESS_MASK) {
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE:
        return PROT_READ | PROT_WRITE;
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY:
        return PROT_READ;
    default:
        return PROT_NONE;
    }
}

static bool is_fresh(const struct zc_reservation *reservation, const char *begin, size_t size)
{
    const uint8_t *page = &reservation->pages[page_of(reservation, begin)];
    for (size_t i = 0; i < size / ZC_VIRTUAL_PAGE; i++)
        if (page[i] & HAS_MEMORY)
            return false;
    return true;
}

static bool take_away_memory(struct zc_reservation *reservation, char *begin, size_t size)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(begin, size, PROT_NONE, flags, -1, 0) != begin)
        return false;
    memset(&reservation->pages[page_of(reservation, begin)], 0, size / ZC_VIRTUAL_PAGE);
    return zc_memory_map_cut(reservation->map, reservation, begin, size);
}

// Addresses for which nobody has memory. The system gives them where it likes, not aligned as ours are.
static char *reserve_anywhere(size_t size)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (size > SIZE_MAX - ZC_VIRTUAL_PAGE)
        return NULL;
    char *begin = mmap(NULL, size + ZC_VIRTUAL_PAGE, PROT_NONE, flags, -1, 0);
    if (begin == MAP_FAILED)
        return NULL;
    const size_t before = (ZC_VIRTUAL_PAGE - (uintptr_t)begin % ZC_VIRTUAL_PAGE) % ZC_VIRTUAL_PAGE;
    if (before)
        munmap(begin, before);
    munmap(begin + before + size, ZC_VIRTUAL_PAGE - before);
    return begin + before;
}

static char *reserve(const void *wanted, size_t size)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    char *begin = MAP_FAILED;
    if (wanted && is_aligned((uintptr_t)wanted))
        begin = mmap((void *)(uintptr_t)wanted, size, PROT_NONE, flags, -1, 0);
    if (begin != MAP_FAILED && begin != wanted) // systems that don't know the flag
        munmap(begin, size);
    return begin != MAP_FAILED && begin == wanted ? begin : reserve_anywhere(size);
}

ze_result_t zeVirtualMemReserve(
    ze_context_handle_t context, const void *wanted, size_t size, void **pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    const ze_result_t checked = check_size(size);
    ZC_PASS(checked);
    char *base = reserve(wanted, size);
    ZC_REQUIRE(base, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    struct zc_reservation *new = calloc(1, sizeof *new + size / ZC_VIRTUAL_PAGE);
    if (!new) {
        munmap(base, size);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    new->base = base;
    new->size = size;
    new->context = context;
    new->map = context->memory;
    pthread_mutex_lock(&reservations.lock);
    new->next = reservations.first;
    reservations.first = new;
    pthread_mutex_unlock(&reservations.lock);
    *pointer = new->base;
    return ZE_RESULT_SUCCESS;
}

static void release(struct zc_reservation *reservation)
{
    struct zc_reservation **link = &reservations.first;
    while (*link != reservation)
        link = &(*link)->next;
    *link = reservation->next;
    zc_memory_map_return(reservation->map, reservation);
    munmap(reservation->base, reservation->size);
    free(reservation);
}

// Only as a whole: Intel's driver wants so, too.
static ze_result_t release_at(ze_context_handle_t context, const char *begin, size_t size)
{
    struct zc_reservation *found = find(context, begin, 0);
    ZC_REQUIRE(found && found->base == begin, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(found->size == size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    release(found);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemFree(ze_context_handle_t context, const void *pointer, size_t size)
{
    ze_result_t result = check_range(context, pointer, size);
    ZC_PASS(result);
    pthread_mutex_lock(&reservations.lock);
    result = release_at(context, pointer, size);
    pthread_mutex_unlock(&reservations.lock);
    return result;
}

ze_result_t zeVirtualMemQueryPageSize(
    ze_context_handle_t context, ze_device_handle_t device, size_t size, size_t *page)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(page);
    (void)size; // 0 as well, as with Intel's driver
    *page = ZC_VIRTUAL_PAGE;
    return ZE_RESULT_SUCCESS;
}

// ---- physical memory ----

static void close_file(ze_physical_mem_handle_t memory)
{
    if (memory->fd >= 0)
        close(memory->fd);
    if (memory->counts)
        zc_device_memory_give(memory->device, memory->size);
}

// Of the program where it is imported, else new; closed by zePhysicalMemDestroy.
static ze_result_t open_file(ze_physical_mem_handle_t memory, int imported)
{
    if (imported >= 0)
        return zc_external_open(imported, memory->size, &memory->fd);
    ZC_REQUIRE(
        zc_device_memory_take(memory->device, memory->size), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    memory->counts = true;
    memory->fd = memfd_create("ze-cpu physical memory", MFD_CLOEXEC);
    if (memory->fd >= 0 && !ftruncate(memory->fd, (off_t)memory->size))
        return ZE_RESULT_SUCCESS;
    close_file(memory);
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
}

ze_result_t zePhysicalMemCreate(ze_context_handle_t context, ze_device_handle_t device,
    ze_physical_mem_desc_t *desc, ze_physical_mem_handle_t *memory)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(memory);
    ZC_REQUIRE_FLAGS(desc->flags, ZE_PHYSICAL_MEM_FLAG_TBD);
    ze_result_t checked;
    if ((checked = check_size(desc->size)) || (checked = zc_external_check(desc->pNext, true)))
        return checked;
    ZC_REQUIRE(zc_context_has(context, device), ZE_RESULT_ERROR_DEVICE_LOST); // as for allocations
    ZC_REQUIRE(desc->size <= device->total_memory, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    ze_physical_mem_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    *new = (struct _ze_physical_mem_handle_t){.size = desc->size, .device = device};
    checked = open_file(new, zc_external_import(desc->pNext));
    if (checked != ZE_RESULT_SUCCESS) {
        free(new);
        return checked;
    }
    new->id = atomic_fetch_add(&last_id, 1) + 1;
    *memory = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_physical_mem_get_properties(ze_context_handle_t context,
    ze_physical_mem_handle_t memory, ze_newer_physical_mem_properties_t *properties)
    ZC_ENTRY_POINT(zePhysicalMemGetProperties);

ze_result_t zc_physical_mem_get_properties(ze_context_handle_t context,
    ze_physical_mem_handle_t memory, ze_newer_physical_mem_properties_t *properties)
{
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(memory);
    ZC_REQUIRE_POINTER(properties);
    properties->id = memory->id;
    properties->size = memory->size;
    return zc_external_answer(properties->pNext, memory->fd);
}

// Pages that are mapped stay until they are unmapped.
ze_result_t zePhysicalMemDestroy(ze_context_handle_t context, ze_physical_mem_handle_t memory)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(memory);
    close_file(memory);
    free(memory);
    return ZE_RESULT_SUCCESS;
}

// ---- mapping ----

struct mapping {
    char *begin;
    size_t size, offset;
    ze_physical_mem_handle_t memory;
    ze_memory_access_attribute_t access;
};

static ze_result_t put_memory(struct zc_reservation *reservation, const struct mapping *mapping)
{
    const struct zc_allocation allocation = {.base = mapping->begin,
        .size = mapping->size,
        .type = ZE_MEMORY_TYPE_DEVICE,
        .device = mapping->memory->device,
        .context = reservation->context,
        .owner = reservation,
        .reservation = reservation};
    const void *view = mmap(mapping->begin, mapping->size, protection(mapping->access),
        MAP_SHARED | MAP_FIXED, mapping->memory->fd, (off_t)mapping->offset);
    ZC_REQUIRE(view == mapping->begin, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    if (!zc_memory_map_add(reservation->map, allocation)) {
        take_away_memory(reservation, mapping->begin, mapping->size);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    memset(&reservation->pages[page_of(reservation, mapping->begin)],
        (int)(HAS_MEMORY | mapping->access), mapping->size / ZC_VIRTUAL_PAGE);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t map_into(ze_context_handle_t context, const struct mapping *mapping)
{
    struct zc_reservation *found = find(context, mapping->begin, mapping->size);
    ZC_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(is_fresh(found, mapping->begin, mapping->size), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return put_memory(found, mapping);
}

static ze_result_t check_mapping(ze_context_handle_t context, const struct mapping *mapping)
{
    ze_result_t result;
    if ((result = check_range(context, mapping->begin, mapping->size)) ||
        (result = check_access(mapping->access)))
        return result;
    ZC_REQUIRE_HANDLE(mapping->memory);
    ZC_REQUIRE(is_aligned(mapping->offset), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    const size_t there = mapping->memory->size;
    ZC_REQUIRE(mapping->offset < there && mapping->size <= there - mapping->offset,
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemMap(ze_context_handle_t context, const void *pointer, size_t size,
    ze_physical_mem_handle_t memory, size_t offset, ze_memory_access_attribute_t access)
{
    const struct mapping mapping = {(char *)(uintptr_t)pointer, size, offset, memory, access};
    ze_result_t result = check_mapping(context, &mapping);
    ZC_PASS(result);
    pthread_mutex_lock(&reservations.lock);
    result = map_into(context, &mapping);
    pthread_mutex_unlock(&reservations.lock);
    return result;
}

// Pages without memory stay so.
ze_result_t zeVirtualMemUnmap(ze_context_handle_t context, const void *pointer, size_t size)
{
    char *begin = (char *)(uintptr_t)pointer;
    const ze_result_t checked = check_range(context, pointer, size);
    ZC_PASS(checked);
    pthread_mutex_lock(&reservations.lock);
    struct zc_reservation *found = find(context, begin, size);
    const bool ok = found && take_away_memory(found, begin, size);
    pthread_mutex_unlock(&reservations.lock);
    ZC_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(ok, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return ZE_RESULT_SUCCESS;
}

// ---- access ----

// Sets the access of so many pages, of which all have memory or none has. Only what has memory can be accessed at all.
static bool set_run(struct zc_reservation *reservation, size_t first, size_t count, unsigned access)
{
    uint8_t *page = &reservation->pages[first];
    const unsigned memory = page[0] & HAS_MEMORY;
    char *begin = reservation->base + first * ZC_VIRTUAL_PAGE;
    if (memory && mprotect(begin, count * ZC_VIRTUAL_PAGE, protection(access)))
        return false;
    memset(page, (int)(memory | access), count);
    return true;
}

static bool set_access(
    struct zc_reservation *reservation, const char *begin, size_t size, unsigned access)
{
    const uint8_t *page = reservation->pages;
    const size_t first = page_of(reservation, begin), end = first + size / ZC_VIRTUAL_PAGE;
    for (size_t i = first, next; i < end; i = next) {
        for (next = i + 1; next < end && !((page[i] ^ page[next]) & HAS_MEMORY);)
            next++;
        if (!set_run(reservation, i, next - i, access))
            return false;
    }
    return true;
}

ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t context, const void *pointer,
    size_t size, ze_memory_access_attribute_t access)
{
    char *begin = (char *)(uintptr_t)pointer;
    ze_result_t result;
    if ((result = check_range(context, pointer, size)) || (result = check_access(access)))
        return result;
    pthread_mutex_lock(&reservations.lock);
    struct zc_reservation *found = find(context, begin, size);
    const bool ok = found && set_access(found, begin, size, access);
    pthread_mutex_unlock(&reservations.lock);
    ZC_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(ok, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return ZE_RESULT_SUCCESS;
}

// How far from there on the access is the same.
static size_t same_access(const struct zc_reservation *reservation, const char *begin)
{
    const size_t first = page_of(reservation, begin), count = reservation->size / ZC_VIRTUAL_PAGE;
    const unsigned access = reservation->pages[first] & ACCESS_MASK;
    size_t end = first + 1;
    while (end < count && (reservation->pages[end] & ACCESS_MASK) == access)
        end++;
    return (end - first) * ZC_VIRTUAL_PAGE;
}

ze_result_t zeVirtualMemGetAccessAttribute(ze_context_handle_t context, const void *pointer,
    size_t size, ze_memory_access_attribute_t *access, size_t *same_size)
{
    const ze_result_t checked = check_range(context, pointer, size);
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(access);
    ZC_REQUIRE_POINTER(same_size);
    pthread_mutex_lock(&reservations.lock);
    const struct zc_reservation *found = find(context, pointer, size);
    if (found) {
        *access = found->pages[page_of(found, pointer)] & ACCESS_MASK;
        const size_t same = same_access(found, pointer);
        *same_size = same < size ? same : size;
    }
    pthread_mutex_unlock(&reservations.lock);
    ZC_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}
