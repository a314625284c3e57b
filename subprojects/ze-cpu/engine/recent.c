// SPDX-License-Identifier: MIT

#include "recent.h"
#include "build.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What is kept, at most: so many programs, and so many bytes of what they were built from and of native code.
#define MOST_PROGRAMS 64u
#define MOST_BYTES ((size_t)64 << 20)

struct recent {
    struct zc_writer key;
    struct zc_recent what;
    size_t size; // of the key and of native code; not of what lazy programs compile later
};

static struct {
    pthread_mutex_t lock;                  // guards what follows
    struct recent list[MOST_PROGRAMS + 1]; // the one used last comes first
    uint32_t count;
    size_t bytes;
} recent = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- keys ----

static void put_setting(struct zc_writer *key, const char *name)
{
    const char *value = getenv(name);
    zc_put_text(key, value != NULL ? value : "");
}

static void put_module(struct zc_writer *key, const struct zc_spirv *module)
{
    zc_put_span(key, (struct zc_span){module->bytes, module->size});
    zc_put_text(key, module->flags != NULL ? module->flags : "");
}

// The values of specialization constants are as long as their types in the module say, and nobody reads those here.
static bool has_constants(const struct zc_build_request *request)
{
    for (size_t i = 0; i < request->module_count; i++)
        if (request->modules[i].constants.count > 0)
            return true;
    return false;
}

struct zc_writer zc_recent_key(const struct zc_build_request *request, const char *device)
{
    struct zc_writer key = {0};
    if (has_constants(request))
        return key;
    zc_put_text(&key, device);
    put_setting(&key, ZC_MODE_VARIABLE);
    put_setting(&key, ZC_TRANSLATOR_VARIABLE);
    put_setting(&key, "PATH"); // where the translator may be
    zc_put_u32(&key, request->exposes_variables);
    for (size_t i = 0; i < request->module_count; i++)
        put_module(&key, &request->modules[i]);
    if (key.failed)
        key.size = 0;
    return key;
}

// ---- the list; the caller has the lock ----

static uint32_t find(const struct zc_writer *key)
{
    uint32_t i = 0;
    while (i < recent.count && (recent.list[i].key.size != key->size ||
                                   memcmp(recent.list[i].key.bytes, key->bytes, key->size) != 0))
        i++;
    return i;
}

static void move_to_front(uint32_t index)
{
    const struct recent one = recent.list[index];
    memmove(recent.list + 1, recent.list, index * sizeof(one));
    recent.list[0] = one;
}

static void add(const struct recent *one)
{
    recent.list[recent.count] = *one;
    recent.bytes += one->size;
    move_to_front(recent.count++);
}

// ---- ----

// False: what is left may stay.
static bool take_superfluous(struct recent *last)
{
    pthread_mutex_lock(&recent.lock);
    const bool is_full = recent.count > MOST_PROGRAMS || recent.bytes > MOST_BYTES;
    if (is_full) {
        *last = recent.list[--recent.count];
        recent.bytes -= last->size;
    }
    pthread_mutex_unlock(&recent.lock);
    return is_full;
}

// May two modules be the same program?
static bool is_shareable(const struct zc_program *program)
{
    const struct zc_native *native = &program->unit->native;
    return native->variable_count == 0 && native->imports.count == 0;
}

static struct zc_writer copy(const void *bytes, size_t size)
{
    struct zc_writer writer = {0};
    zc_put(&writer, bytes, size);
    if (writer.failed) {
        free(writer.bytes);
        writer = (struct zc_writer){0};
    }
    return writer;
}

// Another reference, or another copy.
static struct zc_recent take(const struct zc_recent *what)
{
    if (what->program != NULL)
        return (struct zc_recent){.program = zc_program_ref(what->program)};
    return (struct zc_recent){.own_binary = copy(what->own_binary.bytes, what->own_binary.size)};
}

struct zc_recent zc_recent_find(const struct zc_writer *key)
{
    struct zc_recent found = {0};
    if (key->size == 0)
        return found;
    pthread_mutex_lock(&recent.lock);
    const uint32_t index = find(key);
    if (index < recent.count) {
        move_to_front(index);
        found = take(&recent.list[0].what);
    }
    pthread_mutex_unlock(&recent.lock);
    return found;
}

static void let_go(struct recent *one)
{
    free(one->key.bytes);
    free(one->what.own_binary.bytes);
    zc_program_destroy(one->what.program);
}

// Another thread may have built the same meanwhile. Giving up a program unmaps code, for which nobody has to wait.
void zc_recent_add(struct zc_writer *key, struct zc_program *program)
{
    const struct zc_unit *unit = program->unit;
    struct recent one = {.key = *key, .size = key->capacity + unit->size};
    *key = (struct zc_writer){0};
    if (one.key.size > 0 && one.size <= MOST_BYTES) {
        if (is_shareable(program))
            one.what.program = zc_program_ref(program);
        else
            one.what.own_binary = copy(unit->bytes, unit->size);
    }
    const bool is_there = one.what.program != NULL || one.what.own_binary.size > 0;
    pthread_mutex_lock(&recent.lock);
    const bool is_new = is_there && recent.count <= MOST_PROGRAMS && find(&one.key) == recent.count;
    if (is_new)
        add(&one);
    pthread_mutex_unlock(&recent.lock);
    if (!is_new)
        let_go(&one);
    while (take_superfluous(&one))
        let_go(&one);
}
