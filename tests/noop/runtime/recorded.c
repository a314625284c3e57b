// SPDX-License-Identifier: MIT

#include "recorded.h"

static const mez_queue_kind kind_of[WAYS] = {
    [BATCHED] = MEZ_QUEUE_BATCHED,
    [APPENDED] = MEZ_QUEUE_IMMEDIATE,
    [APPENDED_BASIC] = MEZ_QUEUE_BASIC,
    [SIDE_LIST] = MEZ_QUEUE_IMMEDIATE,
    [SIDE_LIST_BASIC] = MEZ_QUEUE_BASIC,
};

void configure(enum way way)
{
    static const char *const appends[] = {
        "ZE_experimental_immediate_command_list_append", "ZE_experimental_module_program", NULL};
    struct noop_config config = linking_config();
    config.api_version = ZE_MAKE_VERSION(1, 14);
    config.extensions = way == APPENDED || way == APPENDED_BASIC ? appends : appends + 1;
    noop_configure(&config);
}

runtime *open_runtime(enum way way)
{
    static runtime r;
    r = (runtime){0};
    noop_reset();
    configure(way);
    assert_ok(mez_context_create(NULL, &r.context));
    // Only out of order are basic queues immediate lists.
    const mez_queue_params params = {
        .kind = kind_of[way],
        .order = kind_of[way] == MEZ_QUEUE_BASIC ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER,
        .debug_name = "main",
    };
    assert_ok(mez_queue_create(r.context, &params, &r.queue));
    r.nothing = load_kernel(r.context, "kernels.spv", "nothing");
    r.saxpy = load_kernel(r.context, "kernels.spv", "saxpy");
    r.x = mez_alloc_shared(r.context, COUNT * sizeof *r.x, NULL);
    r.y = mez_alloc_shared(r.context, COUNT * sizeof *r.y, NULL);
    assert_non_null(r.x);
    assert_non_null(r.y);
    return &r;
}

void close_runtime(runtime *r)
{
    void *state = r;
    assert_int_equal(runtime_teardown(&state), 0);
}

mez_recording *create_recording(runtime *r, mez_queue_order order)
{
    mez_recording *recording;
    const mez_recording_params params = {.order = order, .debug_name = "steps"};
    assert_ok(mez_recording_create(r->context, &params, &recording));
    return recording;
}

void record_saxpy(runtime *r, mez_recording *recording)
{
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y));
    assert_ok(mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), args, NULL, NULL));
}

void record_copy(runtime *r, mez_recording *recording)
{
    assert_ok(mez_record_copy(recording, r->x, r->y, COUNT, NULL, NULL));
}

mez_recording *record_three(runtime *r, mez_queue_order order)
{
    mez_recording *recording = create_recording(r, order);
    record_saxpy(r, recording);
    record_saxpy(r, recording);
    record_copy(r, recording);
    return recording;
}
