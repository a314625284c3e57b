// SPDX-License-Identifier: MIT

#include "traced.h"

#include <dlfcn.h>
#include <stdlib.h>

const recorder *traced(void)
{
    static const recorder *found;
    if (!found) {
        void *subscriber = dlopen(getenv("XPTI_SUBSCRIBERS"), RTLD_LAZY | RTLD_NOLOAD);
        assert_non_null(subscriber); // the dispatcher has loaded it
        found = dlsym(subscriber, "mez_test_recorder");
        assert_non_null(found);
    }
    return found;
}

void forget(void)
{
    traced()->clear();
}

static int begin(int (*setup)(void **state), void **state)
{
    const int result = setup(state);
    if (result == 0)
        forget();
    return result;
}

int traced_setup(void **state)
{
    return begin(runtime_setup, state);
}

int traced_setup_in_order(void **state)
{
    return begin(runtime_setup_in_order, state);
}

int traced_setup_linking(void **state)
{
    return begin(runtime_setup_linking, state);
}

static size_t index_of(const record *one)
{
    return one ? (size_t)(one - traced()->at(0)) : 0;
}

const record *find(const record *from, uint16_t point, const char *name)
{
    for (size_t i = index_of(from); i < traced()->count(); i++) {
        const record *one = traced()->at(i);
        if (one->point == point && strcmp(one->stream, MEZ_TRACE_STREAM_DEVICE) != 0 &&
            (!name || strcmp(one->name, name) == 0))
            return one;
    }
    return NULL;
}

const record *find_end(const record *node)
{
    for (size_t i = index_of(node); i < traced()->count(); i++) {
        const record *one = traced()->at(i);
        if (one->point == MEZ_XPTI_TASK_END && one->id == node->id &&
            strcmp(one->stream, MEZ_TRACE_STREAM_DEVICE) == 0)
            return one;
    }
    return NULL;
}

const record *must_find(uint16_t point, const char *name)
{
    const record *one = find(NULL, point, name);
    if (!one)
        fail_msg("no trace point %u of \"%s\"", point, name ? name : "anything");
    return one;
}

size_t count_of(uint16_t point, const char *name)
{
    size_t count = 0;
    for (const record *one = find(NULL, point, name); one; one = find(one + 1, point, name))
        count++;
    return count;
}

bool has_edge(const record *from, const record *to)
{
    const record *edge = find(NULL, MEZ_XPTI_EDGE_CREATE, NULL);
    while (edge && !(edge->source == from->id && edge->target == to->id))
        edge = find(edge + 1, MEZ_XPTI_EDGE_CREATE, NULL);
    return edge != NULL;
}

bool has_metadata(const record *one, const char *key, const char *value)
{
    char line[256];
    snprintf(line, sizeof line, "%s=%s%s", key, value, *value ? "\n" : "");
    return strstr(one->metadata, line) != NULL;
}

static void *function_of_dispatcher(const char *name)
{
    void *dispatcher = dlopen(getenv("XPTI_FRAMEWORK_DISPATCHER"), RTLD_LAZY | RTLD_NOLOAD);
    assert_non_null(dispatcher);
    void *function = dlsym(dispatcher, name);
    assert_non_null(function);
    return function;
}

void dispatcher_enable(bool enabled)
{
    void (*function)(bool);
    *(void **)&function = function_of_dispatcher("xptiForceSetTraceEnabled");
    function(enabled);
}

uint64_t dispatcher_get_universal_id(void)
{
    uint64_t (*function)(void);
    *(void **)&function = function_of_dispatcher("xptiGetUniversalId");
    return function();
}

void dispatcher_set_universal_id(uint64_t id)
{
    void (*function)(uint64_t);
    *(void **)&function = function_of_dispatcher("xptiSetUniversalId");
    function(id);
}
