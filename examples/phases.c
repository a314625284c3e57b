// SPDX-License-Identifier: MIT
//
// A program that traces its own work, so that it is shown above what the library does for it:
//
//     mez trace -- phases [saxpy.spv]
//
// Without a dispatcher, such as the one that `mez trace` brings, a phase costs a load and a branch.

#include <stdlib.h>

#include <mezzanine/mezzanine.h>
#include <mezzanine/xpti_proxy.h>

enum { ITEMS = 1 << 16, STEPS = 3 };

static mez_xpti_stream phases;

static void announce(void)
{
    if (!mez_xpti_load(NULL, NULL))
        return;
    phases = xptiRegisterStream("example.phases");
    xptiInitialize("example.phases", 1, 0, "phases 1.0");
}

// A phase lasts from phase_begin to phase_end, in one thread; they may nest.
static mez_xpti_event *phase_begin(const char *name, unsigned line)
{
    uint64_t visit;
    mez_xpti_payload place = {
        .name = name,
        .file = __FILE__,
        .line = line,
        .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE,
    };
    if (!mez_xpti_on())
        return NULL;
    mez_xpti_event *phase =
        xptiMakeEvent(NULL, &place, MEZ_XPTI_EVENT_ALGORITHM, MEZ_XPTI_ACTIVITY_ACTIVE, &visit);
    if (phase)
        xptiNotifySubscribers(phases, MEZ_XPTI_REGION_BEGIN, NULL, phase, visit, NULL);
    return phase;
}

static void phase_end(mez_xpti_event *phase)
{
    if (!phase)
        return;
    xptiNotifySubscribers(phases, MEZ_XPTI_REGION_END, NULL, phase, phase->instance_id, NULL);
    xptiReleaseEvent(phase);
}

static mez_error step(mez_queue *queue, mez_kernel *saxpy, float *x, float *y)
{
    const float a = 2.0f;
    mez_xpti_event *phase = phase_begin("step", __LINE__);
    mez_error err = mez_submit(
        queue, saxpy, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL);
    if (!mez_failed(err))
        err = mez_queue_wait(queue);
    phase_end(phase);
    return err;
}

static void prepare(float *x, float *y)
{
    mez_xpti_event *phase = phase_begin("prepare", __LINE__);
    for (int i = 0; i < ITEMS; i++) {
        x[i] = 1.0f;
        y[i] = (float)i;
    }
    phase_end(phase);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "saxpy.spv";
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_kernel *saxpy = NULL;
    float *x = NULL, *y = NULL;
    mez_error err;

    announce();
    if (mez_failed(err = mez_context_create(NULL, &context)))
        goto out;
    if (mez_failed(err = mez_queue_create(context, &(mez_queue_params){.profiling = true}, &queue)))
        goto out;
    if (mez_failed(err = mez_kernel_load(context, path, "saxpy", &saxpy)))
        goto out;
    if (!(x = mez_alloc_shared(context, ITEMS * sizeof *x, &err)))
        goto out;
    if (!(y = mez_alloc_shared(context, ITEMS * sizeof *y, &err)))
        goto out;

    prepare(x, y);
    for (int i = 0; i < STEPS && !mez_failed(err); i++)
        err = step(queue, saxpy, x, y);
    if (!mez_failed(err))
        printf("phases: y[0] = %g after %d steps\n", y[0], STEPS);
out:
    mez_error_print(stderr, err);
    mez_free(context, x);
    mez_free(context, y);
    mez_kernel_destroy(&saxpy);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(err) ? EXIT_FAILURE : EXIT_SUCCESS;
}
