// SPDX-License-Identifier: MIT
// Counting, failing and logging calls: what happens before an entry point does anything.
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_PLANS = 64,
    LOG_CAPACITY = 4096,
    APPENDS_CAPACITY = 1024,
    ANY_FUNCTION = NOOP_ENTRY_COUNT
};

struct plan {
    int entry;      // or ANY_FUNCTION
    uint64_t nth;   // 0: every call
    uint64_t calls; // seen since it was made
    ze_result_t code;
};

struct before {
    void (*callback)(void *user); // NULL: none is planned
    void *user;
    int entry;
};

_Atomic uint64_t noop_counts[NOOP_ENTRY_COUNT];
_Atomic bool noop_watching;

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // guards all below, and the value of noop_watching
static struct plan plans[MAX_PLANS];
static size_t plan_count;
static uint64_t fired;
static struct before planned_before;
static bool exact;
static bool logging;
static bool held;
static uint16_t entry_log[LOG_CAPACITY];
static size_t logged;
static struct noop_append append_log[APPENDS_CAPACITY];
static size_t appended;
static ze_command_queue_desc_t last_queue;

static void update_watching(void)
{
    atomic_store_explicit(&noop_watching,
        exact || logging || held || plan_count > 0 || planned_before.callback != NULL,
        memory_order_relaxed);
}

static int find_entry(const char *function)
{
    for (int i = 0; i < NOOP_ENTRY_COUNT; i++)
        if (strcmp(noop_slots[i].function, function) == 0)
            return i;
    fprintf(stderr, "noop: Level Zero has no function %s\n", function);
    abort();
}

static void drop_plan(size_t i)
{
    plans[i] = plans[--plan_count];
    update_watching();
}

// Every plan sees every call, also one that another plan fails: "the third call" is the third call.
static ze_result_t consult_plans(enum noop_entry entry)
{
    ze_result_t result = ZE_RESULT_SUCCESS;
    for (size_t i = plan_count; i-- > 0;) {
        struct plan *plan = &plans[i];
        if (plan->entry != ANY_FUNCTION && plan->entry != (int)entry)
            continue;
        plan->calls++;
        if (plan->nth != 0 && plan->calls != plan->nth)
            continue;
        result = plan->code;
        if (plan->nth != 0)
            drop_plan(i);
    }
    if (result != ZE_RESULT_SUCCESS)
        fired++;
    return result;
}

// The caller holds the lock.
static struct before take_before(enum noop_entry entry)
{
    const struct before before = planned_before;
    if (before.callback == NULL || before.entry != (int)entry)
        return (struct before){.callback = NULL};
    planned_before.callback = NULL;
    update_watching();
    return before;
}

ze_result_t noop_watch(enum noop_entry entry)
{
    pthread_mutex_lock(&lock);
    const struct before before = take_before(entry);
    atomic_fetch_add_explicit(&noop_counts[entry], 1, memory_order_relaxed);
    if (logging)
        entry_log[logged++ % LOG_CAPACITY] = (uint16_t)entry;
    const ze_result_t result = consult_plans(entry);
    pthread_mutex_unlock(&lock);
    if (before.callback != NULL)
        before.callback(before.user);
    return result;
}

ze_result_t noop_watch_answer(enum noop_entry entry, ze_result_t answer)
{
    const ze_result_t planned = noop_watch(entry);
    return planned != ZE_RESULT_SUCCESS ? planned : answer;
}

uint64_t noop_calls(const char *function)
{
    return atomic_load_explicit(&noop_counts[find_entry(function)], memory_order_relaxed);
}

uint64_t noop_calls_total(void)
{
    uint64_t total = 0;
    for (int i = 0; i < NOOP_ENTRY_COUNT; i++)
        total += atomic_load_explicit(&noop_counts[i], memory_order_relaxed);
    return total;
}

void noop_count_exactly(bool exactly)
{
    pthread_mutex_lock(&lock);
    exact = exactly;
    update_watching();
    pthread_mutex_unlock(&lock);
}

void noop_plan_hold(bool hold)
{
    pthread_mutex_lock(&lock);
    held = hold;
    update_watching();
    pthread_mutex_unlock(&lock);
}

void noop_log_start(void)
{
    pthread_mutex_lock(&lock);
    logged = 0;
    appended = 0;
    logging = true;
    update_watching();
    pthread_mutex_unlock(&lock);
}

size_t noop_log(const char **names, size_t capacity)
{
    pthread_mutex_lock(&lock);
    size_t kept = logged < LOG_CAPACITY ? logged : LOG_CAPACITY;
    if (kept > capacity)
        kept = capacity;
    for (size_t i = 0; i < kept; i++)
        names[i] = noop_slots[entry_log[(logged - kept + i) % LOG_CAPACITY]].function;
    const size_t total = logged;
    pthread_mutex_unlock(&lock);
    return total;
}

static void add_plan(const char *function, uint64_t nth, ze_result_t code)
{
    const int entry = function != NULL ? find_entry(function) : ANY_FUNCTION;
    pthread_mutex_lock(&lock);
    if (plan_count == MAX_PLANS) {
        fprintf(stderr, "noop: more than %d failures planned\n", MAX_PLANS);
        abort();
    }
    plans[plan_count++] = (struct plan){.entry = entry, .nth = nth, .code = code};
    update_watching();
    pthread_mutex_unlock(&lock);
}

void noop_fail(const char *function, uint64_t nth, ze_result_t code)
{
    if (nth == 0) {
        fprintf(stderr, "noop: calls are counted from 1\n");
        abort();
    }
    add_plan(function, nth, code);
}

void noop_fail_every(const char *function, ze_result_t code)
{
    add_plan(function, 0, code);
}

void noop_before(const char *function, void (*callback)(void *user), void *user)
{
    const int entry = find_entry(function);
    pthread_mutex_lock(&lock);
    planned_before = (struct before){.callback = callback, .user = user, .entry = entry};
    update_watching();
    pthread_mutex_unlock(&lock);
}

uint64_t noop_fired(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t result = fired;
    pthread_mutex_unlock(&lock);
    return result;
}

void noop_plan_reset(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < NOOP_ENTRY_COUNT; i++)
        atomic_store_explicit(&noop_counts[i], 0, memory_order_relaxed);
    plan_count = 0;
    planned_before.callback = NULL;
    fired = 0;
    exact = false;
    logging = false;
    logged = 0;
    update_watching();
    pthread_mutex_unlock(&lock);
}

void noop_plan_parse(const char *text)
{
    char function[64];
    unsigned long long nth;
    int code, length;
    while (sscanf(text, "%63[^:,]:%llu:%i%n", function, &nth, &code, &length) == 3) {
        add_plan(function, nth, (ze_result_t)code);
        text += length;
        if (*text != ',')
            break;
        text++;
    }
    if (*text != '\0') {
        fprintf(stderr, "noop: NOOP_FAIL does not read function:nth:code at '%s'\n", text);
        abort();
    }
}

// --- What was appended where

static struct noop_append describe(enum noop_entry entry, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    struct noop_append append = {
        .function = noop_slots[entry].function,
        .list = list,
        .ordinal = list->ordinal,
        .signal = signal,
        .signal_flags = signal != NULL ? signal->flags : 0,
        .wait_count = wait_count,
    };
    const size_t room = sizeof append.waits / sizeof append.waits[0];
    for (size_t i = 0; i < wait_count && i < room; i++)
        append.waits[i] = waits[i];
    return append;
}

void noop_log_append(enum noop_entry entry, ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    pthread_mutex_lock(&lock);
    if (logging)
        append_log[appended++ % APPENDS_CAPACITY] =
            describe(entry, list, signal, wait_count, waits);
    pthread_mutex_unlock(&lock);
}

size_t noop_appends(struct noop_append *appends, size_t capacity)
{
    pthread_mutex_lock(&lock);
    size_t kept = appended < APPENDS_CAPACITY ? appended : APPENDS_CAPACITY;
    if (kept > capacity)
        kept = capacity;
    for (size_t i = 0; i < kept; i++)
        appends[i] = append_log[(appended - kept + i) % APPENDS_CAPACITY];
    const size_t total = appended;
    pthread_mutex_unlock(&lock);
    return total;
}

void noop_log_queue(const ze_command_queue_desc_t *description)
{
    pthread_mutex_lock(&lock);
    last_queue = *description;
    pthread_mutex_unlock(&lock);
}

ze_command_queue_desc_t noop_last_queue(void)
{
    pthread_mutex_lock(&lock);
    const ze_command_queue_desc_t description = last_queue;
    pthread_mutex_unlock(&lock);
    return description;
}
