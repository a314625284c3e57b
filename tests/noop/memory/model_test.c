// SPDX-License-Identifier: MIT
//
// Random allocations and frees beside a model that is too simple to be wrong: statistics, queries, contents and refusals must
// agree with it at every step. Long enough that pools grow, shrink, and share pages of the registry's memory of what was found.

#include "memory.h"

#include <stdlib.h>

enum { LIVE = 2000, STEPS = 20000, KINDS = 3 };

typedef struct owned {
    unsigned char *memory; // NULL: nothing
    size_t size;
    mez_memory_kind kind;
    const char *name;
    unsigned char mark;
} owned;

typedef struct model {
    mez_context *context;
    owned all[LIVE];
    uint64_t allocations[KINDS], bytes[KINDS];
    void *freed; // last
    unsigned seed;
} model;

static unsigned draw(model *m, unsigned below)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return (m->seed >> 8) % below;
}

static size_t draw_size(model *m)
{
    const size_t most = (size_t)64 << draw(m, 11); // 64 bytes to 64 KiB: pooled and not
    return 1 + draw(m, (unsigned)most);
}

static void allocate(model *m, owned *o)
{
    o->kind = (mez_memory_kind)draw(m, KINDS);
    o->size = draw_size(m);
    o->name = draw(m, 8) == 0 ? "named" : NULL;
    o->mark = (unsigned char)draw(m, 256);
    const mez_memory_params params = {
        .kind = o->kind, .debug_name = o->name, .alignment = (size_t)1 << draw(m, 13)};
    o->memory = get(m->context, &params, o->size);
    assert_int_equal((uintptr_t)o->memory % params.alignment, 0);
    memset(o->memory, o->mark, o->size);
    m->allocations[o->kind]++;
    m->bytes[o->kind] += o->size;
    if (o->memory == m->freed)
        m->freed = NULL;
}

// Nobody else has written to it, and it is known for what it is.
static void check_owned(model *m, const owned *o)
{
    mez_memory_info info;
    assert_int_equal(o->memory[0], o->mark);
    assert_int_equal(o->memory[o->size - 1], o->mark);
    assert_ok(mez_memory_get_info(m->context, o->memory + o->size - 1, &info));
    assert_int_equal(info.origin, MEZ_POINTER_ALLOCATION);
    assert_ptr_equal(info.base, o->memory);
    assert_int_equal(info.size, o->size);
    assert_int_equal(info.kind, o->kind);
    assert_true(o->name ? strcmp(info.debug_name, o->name) == 0 : !info.debug_name);
}

static void refuse(model *m, void *memory)
{
    assert_true(mez_error_is(mez_free(m->context, memory), MEZ_ERRC_INVALID_PARAMETER));
}

static void release(model *m, owned *o)
{
    check_owned(m, o);
    refuse(m, o->memory + 1 + draw(m, 63)); // a slot has 64 bytes at least
    put(m->context, o->memory);
    m->allocations[o->kind]--;
    m->bytes[o->kind] -= o->size;
    m->freed = o->memory;
    o->memory = NULL;
    refuse(m, m->freed); // its chunk may be gone
}

static void check_usage(const model *m, mez_memory_kind kind, const mez_memory_usage *usage)
{
    assert_int_equal(usage->allocations, m->allocations[kind]);
    assert_int_equal(usage->bytes, m->bytes[kind]);
    assert_int_equal(usage->deferred, 0);
}

static void check_statistics(const model *m)
{
    const mez_context_statistics statistics = statistics_of(m->context);
    check_usage(m, MEZ_MEMORY_DEVICE, &statistics.device_memory);
    check_usage(m, MEZ_MEMORY_HOST, &statistics.host_memory);
    check_usage(m, MEZ_MEMORY_SHARED, &statistics.shared_memory);
}

static void step(model *m)
{
    owned *o = &m->all[draw(m, LIVE)];
    if (!o->memory)
        allocate(m, o);
    else
        release(m, o);
    if (m->freed)
        refuse(m, m->freed); // its chunk may be another's
    check_statistics(m);
}

// In a wave, pools shrink and grow again.
static void release_all(model *m)
{
    for (int i = 0; i < LIVE; i++)
        if (m->all[i].memory)
            release(m, &m->all[i]);
    check_statistics(m);
}

static void test_model(void **state)
{
    (void)state;
    static model m;
    for (unsigned seed = 1; seed <= 3; seed++) {
        m = (model){.context = open_context(NULL), .seed = seed};
        for (int i = 0; i < STEPS; i++) {
            step(&m);
            if (i % 5000 == 4999)
                release_all(&m);
        }
        release_all(&m);
        mez_context_destroy(&m.context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {MEMORY_TEST(test_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
