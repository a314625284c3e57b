// SPDX-License-Identifier: MIT
//
// Queues.
#include "queue.h"

#include "check.h"
#include "device.h"
#include "device_queues.h"
#include "fault.h"
#include "fence.h"
#include "list.h"
#include "loss.h"
#include "lost_queues.h"
#include "own.h"
#include "recording.h"
#include "shared_use.h"
#include "shuffle.h"
#include "thread.h"

#include <stdlib.h>

// Flags that a driver may know or ignore; Intel's 22.43 ignores those that came after it.
#define KNOWN_FLAGS 0xfu

// Work often comes in quick succession: look a few times before going to sleep.
static void spin_for_work(struct zc_queue *queue)
{
    for (int i = 0; i < ZC_SPINS && !zc_queue_has_work(queue); i++)
        zc_pause();
}

// Everything submitted, as a list; NULL: the queue is to stop.
static struct zc_command *take_commands(struct zc_queue *queue)
{
    spin_for_work(queue);
    pthread_mutex_lock(&queue->lock);
    while (!queue->first && !queue->stop)
        pthread_cond_wait(&queue->work_came, &queue->lock);
    struct zc_command *first = queue->first;
    queue->first = NULL;
    queue->end = &queue->first;
    pthread_mutex_unlock(&queue->lock);
    return first;
}

static void lose_queue(struct zc_runner *runner)
{
    struct zc_queue *queue = (void *)((char *)runner - offsetof(struct zc_queue, runner));
    if (!atomic_exchange(&queue->lost, true))
        zc_lost_queues_add(queue);
}

static void execute(struct zc_queue *queue, struct zc_command *command)
{
    zc_command_execute(command, &queue->runner, atomic_load(&queue->lost));
    zc_command_destroy(command);
}

static void serve_in_order(struct zc_queue *queue)
{
    struct zc_command *command;
    while ((command = take_commands(queue))) {
        while (command) {
            struct zc_command *next = command->next;
            execute(queue, command);
            zc_counter_advance(&queue->completed);
            command = next;
        }
    }
}

static void *serve(void *argument)
{
    struct zc_queue *queue = argument;
    if (zc_settings.out_of_order)
        zc_shuffle_serve(queue);
    else
        serve_in_order(queue);
    return NULL;
}

bool zc_queue_init(struct zc_queue *queue, ze_device_handle_t device, uint32_t ordinal)
{
    zc_guard_refresh();
    *queue = (struct zc_queue){.first = NULL};
    queue->end = &queue->first;
    queue->runner.news = &queue->assert_news;
    queue->runner.device = device;
    queue->runner.turn = zc_device_turn(device, ordinal);
    queue->runner.failed = lose_queue;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->work_came, NULL);
    if (zc_thread_start(&queue->thread, "ze-cpu/queue", serve, queue)) {
        zc_device_queues_add(queue);
        return true;
    }
    pthread_cond_destroy(&queue->work_came);
    pthread_mutex_destroy(&queue->lock);
    return false;
}

void zc_queue_finish(struct zc_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->stop = true;
    pthread_cond_signal(&queue->work_came);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
    zc_device_queues_remove(queue);
    zc_shared_use_observe();
    zc_shared_use_forget(&queue->runner);
    zc_lost_queues_remove(queue);
    zc_runner_finish(&queue->runner);
    pthread_cond_destroy(&queue->work_came);
    pthread_mutex_destroy(&queue->lock);
}

void zc_queue_submit(struct zc_queue *queue, struct zc_command *command)
{
    command->next = NULL;
    pthread_mutex_lock(&queue->lock);
    *queue->end = command;
    queue->end = &command->next;
    atomic_fetch_add(&queue->submitted, 1);
    pthread_cond_signal(&queue->work_came);
    pthread_mutex_unlock(&queue->lock);
}

bool zc_queue_takes_work_here(const struct zc_queue *queue)
{
    return !zc_settings.out_of_order &&
           zc_counter_has_reached(&queue->completed, atomic_load(&queue->submitted));
}

ze_result_t zc_queue_status(struct zc_queue *queue)
{
    const bool lost = atomic_load(&queue->lost) || zc_are_lost(zc_device_bit(queue->runner.device));
    return zc_loss_explain(
        lost ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS, atomic_load(&queue->runner.loss));
}

void zc_queue_execute_here(struct zc_queue *queue, struct zc_command *command)
{
    execute(queue, command);
}

ze_result_t zc_queue_wait(struct zc_queue *queue, uint64_t timeout)
{
    const zc_device_set device = zc_device_bit(queue->runner.device);
    const bool over =
        zc_counter_wait(&queue->completed, atomic_load(&queue->submitted), device, timeout);
    if (over)
        zc_shared_use_observe();
    const ze_result_t result =
        over || zc_are_lost(device) ? zc_queue_status(queue) : ZE_RESULT_NOT_READY;
    return zc_assert_report(result, &queue->assert_news.for_waiter);
}

ze_result_t zc_check_queue_desc(ze_device_handle_t device, const ze_command_queue_desc_t *desc)
{
    ZC_REQUIRE_FLAGS(desc->flags, KNOWN_FLAGS);
    ZC_REQUIRE(
        desc->mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE(desc->priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    const struct zc_queue_group *group = zc_device_queue_group(device, desc->ordinal);
    ZC_REQUIRE(group && desc->index < group->queue_count, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *queue)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(queue);
    const ze_result_t checked = zc_check_queue_desc(device, desc);
    ZC_PASS(checked);
    ze_command_queue_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    if (!zc_queue_init(&new->queue, device, desc->ordinal)) {
        free(new);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    new->made = *desc;
    new->made.pNext = NULL;
    new->ordinal = desc->ordinal;
    new->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    *queue = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t queue)
{
    ZC_REQUIRE_HANDLE(queue);
    zc_queue_finish(&queue->queue);
    free(queue);
    return ZE_RESULT_SUCCESS;
}

static bool run_execution(const struct zc_command *command, struct zc_runner *runner)
{
    return zc_recording_execute(command->recording, runner, true);
}

static void finish_execution(struct zc_command *command)
{
    zc_recording_unref(command->recording);
}

// The execution of one list.
static struct zc_command *create_execution(struct zc_recording *recording)
{
    struct zc_command *execution = zc_command_create(sizeof *execution, &(struct zc_append){0});
    if (!execution)
        return NULL;
    execution->run = run_execution;
    execution->finish = finish_execution;
    execution->recording = zc_recording_ref(recording);
    execution->uncounted = true;
    execution->off_engine = true; // its commands are not
    return execution;
}

static ze_result_t submit_lists(
    struct zc_queue *queue, uint32_t count, ze_command_list_handle_t *lists)
{
    for (uint32_t i = 0; i < count; i++) {
        struct zc_command *execution = create_execution(lists[i]->recording);
        ZC_REQUIRE(execution, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
        zc_recording_begin(lists[i]->recording, &queue->runner);
        zc_queue_submit(queue, execution);
    }
    return ZE_RESULT_SUCCESS;
}

static bool run_fence(const struct zc_command *command, struct zc_runner *runner)
{
    zc_assert_note_fence(runner->news, command->signal);
    return true;
}

static void finish_fence(struct zc_command *command)
{
    zc_fence_unref((void *)command->signal); // its first member
}

static ze_result_t submit_fence(struct zc_queue *queue, ze_fence_handle_t fence)
{
    const struct zc_append append = {.signal = &fence->event};
    struct zc_command *command = zc_command_create(sizeof *command, &append);
    ZC_REQUIRE(command, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    command->order.signals_last = true;
    command->run = run_fence;
    command->finish = finish_fence;
    command->uncounted = true;
    command->off_engine = true;
    zc_fence_ref(fence);
    zc_queue_submit(queue, command);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t check_fence(ze_fence_handle_t fence)
{
    ZC_REQUIRE(!fence || !zc_completion_is_over(&fence->event.completion),
        ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t check_lists(
    const struct zc_queue *queue, uint32_t ordinal, uint32_t count, ze_command_list_handle_t *lists)
{
    ZC_REQUIRE(count, ZE_RESULT_ERROR_INVALID_SIZE);
    for (uint32_t i = 0; i < count; i++) {
        ZC_REQUIRE_HANDLE(lists[i]);
        ZC_REQUIRE(lists[i]->recording && lists[i]->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT);
        ZC_REQUIRE(zc_device_is_kin(lists[i]->device, queue->runner.device),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
        ZC_REQUIRE(lists[i]->ordinal == ordinal, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    }
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
    ze_command_list_handle_t *lists, ze_fence_handle_t fence)
{
    ZC_REQUIRE_HANDLE(queue);
    ZC_REQUIRE_POINTER(lists);
    ze_result_t result;
    if ((result = zc_queue_status(&queue->queue)) ||
        (result = check_lists(&queue->queue, queue->ordinal, count, lists)) ||
        (result = check_fence(fence)) || (result = submit_lists(&queue->queue, count, lists)) ||
        (fence && (result = submit_fence(&queue->queue, fence))))
        return result;
    return queue->synchronous ? zc_queue_wait(&queue->queue, ZC_FOREVER) : ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout)
{
    ZC_REQUIRE_HANDLE(queue);
    return zc_queue_wait(&queue->queue, timeout);
}

// A command on the queue itself that only waits and signals.
static ze_result_t submit_empty(
    struct zc_queue *queue, const struct zc_append *append, struct zc_order order)
{
    struct zc_command *command = zc_command_create(sizeof *command, append);
    ZC_REQUIRE(command, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    command->order = order;
    zc_queue_submit(queue, command);
    return ZE_RESULT_SUCCESS;
}

// What the lists wait for stands before them: their own commands know nothing of it.
static ze_result_t submit_waits(const struct zc_append *append)
{
    const struct zc_append waits = {
        .list = append->list, .wait_count = append->wait_count, .waits = append->waits};
    const struct zc_order order = {
        .waits_for_queue = append->list->in_order, .blocks_following = true};
    if (!append->wait_count && !append->list->in_order)
        return ZE_RESULT_SUCCESS;
    return submit_empty(append->list->queue, &waits, order);
}

static ze_result_t submit_signal(const struct zc_append *append)
{
    const struct zc_append signal = {.list = append->list, .signal = append->signal};
    if (!append->signal)
        return ZE_RESULT_SUCCESS;
    return submit_empty(append->list->queue, &signal, (struct zc_order){.signals_last = true});
}

ze_result_t zc_append_command_lists(ze_command_list_handle_t list, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) ZC_ENTRY_POINT(zeCommandListImmediateAppendCommandListsExp);

ze_result_t zc_append_command_lists(ze_command_list_handle_t list, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    ZC_REQUIRE_NEWER();
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE(list->queue, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE_POINTER(lists);
    ze_result_t result;
    if ((result = check_lists(list->queue, list->ordinal, count, lists)) ||
        (result = submit_waits(&append)) || (result = submit_lists(list->queue, count, lists)) ||
        (result = submit_signal(&append)))
        return result;
    return list->synchronous ? zc_queue_wait(list->queue, ZC_FOREVER) : ZE_RESULT_SUCCESS;
}
