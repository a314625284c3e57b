// SPDX-License-Identifier: MIT

#include "recording/recording.h"

#include "base/alloc.h"
#include "device/lost.h"
#include "trace/call.h"

// Nothing is lent. Kernels go after what the driver made of them.
static void recording_free(mez_recording *recording)
{
    mez_platform *platform = recording->platform;
    while (recording->spare) {
        mez_recorded_list *next = recording->spare->next;
        mez_recorded_list_destroy(recording->spare);
        recording->spare = next;
    }
    mez_kernel_uses_destroy_of_queue(platform, &recording->kernels.all);
    for (uint32_t i = 0; i < recording->count; i++)
        mez_command_copy_destroy(recording->operations[i]);
    mez_free_memory(recording->operations);
    mez_free_memory(recording->name);
    mez_free_memory(recording);
    mez_platform_unref(platform);
}

void mez_recording_unref(mez_recording *recording)
{
    if (mez_ref_put(&recording->ref))
        recording_free(recording);
}

static mez_error recording_create(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **created)
{
    mez_platform *platform = mez_platform_of(context);
    mez_device *device;
    MEZ_TRY(mez_platform_device(platform, params->device, &device));
    if (params->order > MEZ_OUT_OF_ORDER)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "recording order %d does not exist", (int)params->order);
    mez_recording *recording = mez_new(mez_recording);
    char *name = mez_copy_string(params->debug_name ? params->debug_name : "recording");
    if (!recording || !name) {
        mez_free_memory(recording);
        mez_free_memory(name);
        return mez_error_no_memory("a recording");
    }
    mez_ref_init(&recording->ref);
    recording->platform = platform;
    mez_platform_ref(platform);
    recording->device = device;
    recording->name = name;
    recording->in_order = params->order == MEZ_IN_ORDER;
    recording->version = 1;
    mez_object_add(platform, &recording->object, MEZ_OBJECT_RECORDING, name);
    mez_object_set_place(platform, &recording->object, where);
    *created = recording;
    return mez_ok();
}

MEZ_TRACE_BODY mez_error create(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **created)
{
    static const mez_recording_params defaults;
    return mez_error_add_place(
        recording_create(where, context, params ? params : &defaults, created), where);
}

MEZ_TRACE_COLD mez_error create_traced(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **recording)
{
    MEZ_TRACE_TELL(mez_recording_create, where, create(where, context, params, recording), context,
        params, recording);
}

mez_error mez_recording_create_at(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **recording)
{
    MEZ_REQUIRE(recording, where);
    *recording = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(mez_recording_create, where, create, where, context, params, recording);
}

void mez_recording_destroy(mez_recording **destroyed)
{
    if (!destroyed || !*destroyed)
        return;
    mez_recording *recording = *destroyed;
    *destroyed = NULL;
    mez_object_remove(recording->platform, &recording->object);
    mez_recording_unref(recording);
}

mez_error mez_recording_tell(mez_error error, const mez_location *where,
    const mez_recording *recording, const mez_task_params *task)
{
    if (!mez_failed(error))
        return error;
    error = mez_error_add(error, "recording", "\"%s\"", recording->name);
    if (task && task->debug_name)
        error = mez_error_add(error, "task", "\"%s\"", task->debug_name);
    return mez_platform_note_loss(recording->platform, mez_error_add_place(error, where));
}
