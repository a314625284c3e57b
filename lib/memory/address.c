// SPDX-License-Identifier: MIT
//
// What kernels may be given, and what an address is that they may not: for stories.

#include <stdio.h>

#include "device/platform.h"
#include "memory/memory.h"

// --- Allocations of the context

// The caller holds the lock.
static const mez_slot *slot_around(struct mez_memory *memory, const void *address)
{
    mez_span *span = mez_registry_recent(&memory->registry, address);
    if (!span)
        span = mez_registry_find(&memory->registry, address);
    return span ? mez_span_slot(span, address) : NULL;
}

static bool holds(const mez_slot *slot, const void *address)
{
    if (!slot || slot->state != MEZ_SLOT_LIVE)
        return false;
    return (uintptr_t)address - (uintptr_t)mez_slot_address(slot) <= slot->size;
}

static const void *one_before(const void *address)
{
    return (const void *)((uintptr_t)address - 1);
}

// The end of an allocation that fills its slot lies in the next one, or behind its span. The caller holds the lock.
static const mez_slot *find_live(struct mez_memory *memory, const void *address)
{
    const mez_slot *slot = slot_around(memory, address);
    if (holds(slot, address))
        return slot;
    slot = slot_around(memory, one_before(address));
    return holds(slot, address) ? slot : NULL;
}

bool mez_memory_find_live(
    struct mez_memory *memory, const void *address, mez_live_range *range, uint64_t *frees)
{
    mez_lock_take(&memory->lock);
    const mez_slot *slot = find_live(memory, address);
    if (slot) {
        range->base = (uintptr_t)mez_slot_address(slot);
        range->addresses = slot->size + 1;
        *frees = atomic_load_explicit(&memory->free_count, memory_order_relaxed);
    }
    mez_lock_release(&memory->lock);
    return slot != NULL;
}

const void *mez_memory_find_within(struct mez_memory *memory, const void *from, size_t size)
{
    mez_lock_take(&memory->lock);
    const mez_span *span = mez_registry_find_within(&memory->registry, from, size);
    const void *start = span ? span->start : NULL;
    mez_lock_release(&memory->lock);
    return start;
}

void mez_memory_note_freed(
    struct mez_memory *memory, const void *base, size_t size, const mez_location *where)
{
    memory->freed[memory->next_freed] = (mez_freed){.base = base, .size = size, .where = *where};
    memory->next_freed = (memory->next_freed + 1) % MEZ_FREED_KEPT;
}

// --- Those of other contexts

static pthread_mutex_t known_lock =
    PTHREAD_MUTEX_INITIALIZER; // guards the list, and its members' lives
static struct mez_memory *known;

void mez_memory_make_known(struct mez_memory *memory)
{
    pthread_mutex_lock(&known_lock);
    mez_linked_push(&known, memory, known);
    pthread_mutex_unlock(&known_lock);
}

void mez_memory_forget(struct mez_memory *memory)
{
    pthread_mutex_lock(&known_lock);
    mez_linked_remove(memory, known);
    pthread_mutex_unlock(&known_lock);
}

// --- What it is

typedef enum sort {
    FOREIGN = 0, // nothing that the library knows
    LIVE,
    BEYOND, // an allocation's end
    BEFORE, // an allocation's start
    FREED,
    UNUSED, // memory of a pool, where nothing has been allocated so far
} sort;

typedef struct finding {
    sort sort;
    bool elsewhere; // in another context: of the same Level Zero context, or not
    bool same_ze;
    size_t size;   // of the allocation
    size_t offset; // from its start
    mez_location where;
} finding;

// The caller holds the lock.
static void describe_slot(const mez_slot *slot, const void *address, finding *found)
{
    found->size = slot->size;
    found->where = slot->where;
    found->offset = (size_t)((const char *)address - mez_slot_address(slot));
    if (holds(slot, address))
        found->sort = LIVE;
    else if (slot->state == MEZ_SLOT_LIVE)
        found->sort = (const char *)address < mez_slot_address(slot) ? BEFORE : BEYOND;
    else
        found->sort = slot->size > 0 ? FREED : UNUSED;
}

// What of a pool has not been used so far lies behind the end of the allocation before it. The caller holds the lock.
static void look_before(const mez_slot *slot, const void *address, finding *found)
{
    if (found->sort == UNUSED && slot > slot->span->slots && slot[-1].state == MEZ_SLOT_LIVE)
        describe_slot(slot - 1, address, found);
}

static bool look_into(struct mez_memory *memory, const void *address, finding *found)
{
    mez_lock_take(&memory->lock);
    const mez_slot *slot = slot_around(memory, address);
    if (slot) {
        const mez_slot *live = find_live(memory, address);
        describe_slot(live ? live : slot, address, found);
        look_before(slot, address, found);
    }
    mez_lock_release(&memory->lock);
    return slot != NULL;
}

static bool look_elsewhere(struct mez_memory *memory, const void *address, finding *found)
{
    pthread_mutex_lock(&known_lock);
    struct mez_memory *other = known;
    while (other && (other == memory || !look_into(other, address, found)))
        other = other->known.next;
    if (other) {
        found->elsewhere = true;
        found->same_ze = other->platform->ze == memory->platform->ze;
    }
    pthread_mutex_unlock(&known_lock);
    return other != NULL;
}

// Drivers round sizes up, and know what lies behind an allocation's end as part of it.
static bool look_by_driver(
    mez_platform *platform, const void *address, bool *known_to_it, finding *found)
{
    mez_memory_info info;
    *known_to_it = true; // where the driver can't answer, it may refuse the argument itself
    if (mez_failed(mez_memory_find_info(platform, address, &info)))
        return false;
    *known_to_it = info.origin != MEZ_POINTER_PLAIN;
    if (info.origin != MEZ_POINTER_FOREIGN || !look_into(platform->memory, info.base, found))
        return false;
    found->sort = BEYOND;
    found->offset += info.offset;
    return true;
}

// What memory's own books and the driver know of it. False: nothing; *known_to_driver: but the driver does.
static bool look(mez_platform *platform, const void *address, bool *known_to_driver, finding *found)
{
    *found = (finding){.sort = FOREIGN};
    *known_to_driver = false;
    return look_into(platform->memory, address, found) ||
           look_elsewhere(platform->memory, address, found) ||
           look_by_driver(platform, address, known_to_driver, found);
}

static bool reaches_system(const mez_device *device)
{
    return device->access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
}

bool mez_address_is_usable(mez_platform *platform, const mez_device *device, const void *address)
{
    finding found;
    bool known_to_driver;
    if (look(platform, address, &known_to_driver, &found))
        return found.sort == LIVE && (!found.elsewhere || found.same_ze);
    if (known_to_driver || reaches_system(device))
        return true;
    // Behind the end of what the program has allocated with Level Zero.
    return !look(platform, one_before(address), &known_to_driver, &found) && known_to_driver;
}

// --- What the process has there

typedef struct mapping {
    unsigned long start, end;
    char permissions[8];
    char file[200]; // "", or such as "[heap]"
} mapping;

static bool parse(const char *line, mapping *map)
{
    map->file[0] = '\0';
    return sscanf(line, "%lx-%lx %7s %*s %*s %*s %199[^\n]", &map->start, &map->end,
               map->permissions, map->file) >= 3;
}

// False: nothing is mapped there that can be read, as where only a device has memory.
static bool find_mapping(const void *address, mapping *map)
{
    char line[512];
    bool found = false;
    FILE *file = fopen("/proc/self/maps", "re");
    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file))
        found =
            parse(line, map) && (uintptr_t)address >= map->start && (uintptr_t)address < map->end;
    fclose(file);
    return found && map->permissions[0] == 'r';
}

static bool is_on_own_stack(const void *address)
{
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    const bool known_stack = pthread_attr_getstack(&attributes, &start, &size) == 0;
    pthread_attr_destroy(&attributes);
    return known_stack && (uintptr_t)address - (uintptr_t)start < size;
}

// --- In words

static void add_place(mez_text *text, const char *done, const char *file, int line)
{
    if (file)
        mez_text_add(text, ", %s at %s:%d", done, file, line);
}

static void add_allocation(mez_text *text, size_t size, const mez_location *where)
{
    mez_text_add(text, "an allocation of %zu bytes", size);
    add_place(text, "made", where->file, where->line);
}

static void add_freed(mez_text *text, size_t size, const mez_location *where)
{
    mez_text_add(text, "freed memory: ");
    add_allocation(text, size, where);
    add_place(text, "freed", where->function, where->column); // mez_place_note_free
}

static const char *describe_finding(const finding *found, mez_text *text)
{
    if (found->elsewhere)
        mez_text_add(text, "memory of another context, ");
    if (found->sort == FREED) {
        add_freed(text, found->size, &found->where);
        return "free memory behind the last call that is given it; tasks that were submitted "
               "before keep it";
    }
    if (found->sort == UNUSED) {
        mez_text_add(text, "memory of a pool where nothing is allocated");
        return NULL;
    }
    if (found->sort == BEFORE)
        mez_text_add(text, "%zu bytes before the start of ", (size_t)0 - found->offset);
    else if (found->sort == BEYOND)
        mez_text_add(text, "%zu bytes beyond the end of ", found->offset - found->size);
    else
        mez_text_add(text, "%zu bytes into ", found->offset);
    add_allocation(text, found->size, &found->where);
    return found->elsewhere
               ? "allocate it in the context of the queue, or pass it on by mez_ipc_open"
               : NULL;
}

// The newest allocation of its own that lay there. The caller holds the lock.
static const mez_freed *newest_freed(const struct mez_memory *memory, const void *address)
{
    for (unsigned i = 1; i <= MEZ_FREED_KEPT; i++) {
        const mez_freed *freed =
            &memory->freed[(memory->next_freed + MEZ_FREED_KEPT - i) % MEZ_FREED_KEPT];
        if (freed->base && (uintptr_t)address - (uintptr_t)freed->base < freed->size)
            return freed;
    }
    return NULL;
}

static bool find_freed(struct mez_memory *memory, const void *address, finding *found)
{
    mez_lock_take(&memory->lock);
    const mez_freed *freed = newest_freed(memory, address);
    if (freed)
        *found = (finding){.sort = FREED, .size = freed->size, .where = freed->where};
    mez_lock_release(&memory->lock);
    return freed != NULL;
}

bool mez_address_describe_freed(mez_platform *platform, const void *address, mez_text *text)
{
    finding found;
    const bool in_span = look_into(platform->memory, address, &found);
    const bool freed =
        in_span ? found.sort == FREED : find_freed(platform->memory, address, &found);
    if (freed)
        add_freed(text, found.size, &found.where);
    return freed;
}

// Is it so near behind an allocation that a wrong size or index is the likely reason?
#define NEAR 4096
static bool find_near(struct mez_memory *memory, const void *address, finding *found)
{
    mez_lock_take(&memory->lock);
    const mez_slot *slot = NULL;
    const size_t most = (uintptr_t)address < NEAR ? (uintptr_t)address : NEAR;
    for (size_t back = 1; back <= most && !slot; back += MEZ_SMALLEST_ALIGNMENT - 1)
        slot = slot_around(memory, (const char *)address - back);
    if (slot && slot->state == MEZ_SLOT_LIVE)
        describe_slot(slot, address, found);
    mez_lock_release(&memory->lock);
    return slot && found->sort == BEYOND;
}

static const char *describe_mapping(const void *address, mez_text *text)
{
    mapping map;
    if (!find_mapping(address, &map)) {
        mez_text_add(text, "no memory of this process");
        return NULL;
    }
    if (map.file[0] == '/')
        mez_text_add(text, "in the program's own data, of %s", map.file);
    else if (strcmp(map.file, "[stack]") == 0)
        mez_text_add(text, "on the stack of the main thread");
    else
        mez_text_add(text, "in the program's ordinary memory, such as malloc gives");
    mez_text_add(text, ", which this device can't reach, as it has no shared system memory");
    return "mez_alloc_shared and mez_alloc_host give memory that host and device reach";
}

const char *mez_address_describe(mez_platform *platform, const void *address, mez_text *text)
{
    finding found;
    bool known_to_driver;
    if (look(platform, address, &known_to_driver, &found))
        return describe_finding(&found, text);
    if (is_on_own_stack(address)) {
        mez_text_add(text, "on the stack of the calling thread");
        return "a kernel gets what lies there by value (MEZ_VAL), or in memory of mez_alloc_shared "
               "or mez_alloc_host";
    }
    if (find_freed(platform->memory, address, &found) ||
        find_near(platform->memory, address, &found))
        return describe_finding(&found, text);
    return describe_mapping(address, text);
}
