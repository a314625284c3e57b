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
    struct zc_program *program;
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

// How long the values of specialization constants are stands in the module, which is not looked at here.
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

static size_t size_of(const struct recent *one)
{
    return one->key.capacity + one->program->unit->size;
}

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

static void add(struct zc_writer *key, struct zc_program *program)
{
    recent.list[recent.count] = (struct recent){*key, zc_program_ref(program)};
    recent.bytes += size_of(&recent.list[recent.count]);
    move_to_front(recent.count++);
    *key = (struct zc_writer){0};
}

// ---- ----

// False: what is left may stay.
static bool take_superfluous(struct recent *last)
{
    pthread_mutex_lock(&recent.lock);
    const bool is_full = recent.count > MOST_PROGRAMS || recent.bytes > MOST_BYTES;
    if (is_full) {
        *last = recent.list[--recent.count];
        recent.bytes -= size_of(last);
    }
    pthread_mutex_unlock(&recent.lock);
    return is_full;
}

struct zc_program *zc_recent_find(const struct zc_writer *key)
{
    struct zc_program *program = NULL;
    if (key->size == 0)
        return NULL;
    pthread_mutex_lock(&recent.lock);
    const uint32_t index = find(key);
    if (index < recent.count) {
        move_to_front(index);
        program = zc_program_ref(recent.list[0].program);
    }
    pthread_mutex_unlock(&recent.lock);
    return program;
}

// Another thread may have built the same meanwhile. Giving up a program unmaps code, for which nobody has to wait.
void zc_recent_add(struct zc_writer *key, struct zc_program *program)
{
    struct recent last;
    pthread_mutex_lock(&recent.lock);
    if (key->size > 0 && recent.count <= MOST_PROGRAMS && find(key) == recent.count)
        add(key, program);
    pthread_mutex_unlock(&recent.lock);
    free(key->bytes);
    *key = (struct zc_writer){0};
    while (take_superfluous(&last)) {
        free(last.key.bytes);
        zc_program_destroy(last.program);
    }
}

bool zc_recent_is_shareable(const struct zc_program *program)
{
    const struct zc_native *native = &program->unit->native;
    return native->variable_count == 0 && native->imports.count == 0;
}
