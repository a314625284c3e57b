// SPDX-License-Identifier: MIT
//
// Queues: one thread each, which executes commands in the order of their submission, or, with
// ZE_CPU_OUT_OF_ORDER, out of order (shuffle.h). An immediate list owns one, too.
#ifndef ZE_CPU_QUEUE_H
#define ZE_CPU_QUEUE_H

#include "command.h"

#include <pthread.h>

struct zc_queue {
    pthread_t thread;
    pthread_mutex_t lock; // guards the following four
    pthread_cond_t work_came;
    struct zc_command *first, **end;
    bool stop;
    atomic_uint submitted;        // modulo 2^32
    struct zc_counter completed;  // likewise
    atomic_bool lost;             // a command failed: those behind it fail, too
    struct zc_queue *next_lost;   // guarded by a lock in lost_queues.c
    struct zc_queue *next_of_all; // guarded by a lock in device_queues.c
    uint64_t number;              // no other queue has it, and later ones have larger ones
    struct zc_assert_news assert_news;
    struct zc_runner runner; // of whoever executes: the thread, or a caller while the queue is idle
};

struct _ze_command_queue_handle_t {
    struct zc_queue queue;
    ze_command_queue_desc_t made; // what it was created with
    uint32_t ordinal;
    bool synchronous;
};

// For queues of that group of the device.
bool zc_queue_init(struct zc_queue *queue, ze_device_handle_t device, uint32_t ordinal);
// Waits for everything submitted.
void zc_queue_finish(struct zc_queue *queue);

static inline bool zc_queue_has_work(struct zc_queue *queue)
{
    return atomic_load(&queue->submitted) != atomic_load(&queue->completed.value);
}

// Takes the command.
void zc_queue_submit(struct zc_queue *queue, struct zc_command *command);
// May commands be executed on the calling thread, because the queue is idle?
bool zc_queue_takes_work_here(const struct zc_queue *queue);
// Executes the command on the calling thread and takes it. Only when zc_queue_takes_work_here
// and nobody else submits.
void zc_queue_execute_here(struct zc_queue *queue, struct zc_command *command);
// Waits until what was submitted so far is over: ZE_RESULT_SUCCESS, ZE_RESULT_NOT_READY or
// ZE_RESULT_ERROR_DEVICE_LOST once a command has failed. Reports failed asserts.
ze_result_t zc_queue_wait(struct zc_queue *queue, uint64_t timeout);

// Has a command of it failed, or is the whole device lost? Then ZE_RESULT_ERROR_DEVICE_LOST, with its story.
ze_result_t zc_queue_status(struct zc_queue *queue);

ze_result_t zc_check_queue_desc(ze_device_handle_t device, const ze_command_queue_desc_t *desc);

#endif
