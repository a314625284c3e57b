// SPDX-License-Identifier: MIT
//
// Waiting: time, one-shot completions and counters. A wait spins for a moment, then sleeps in the
// kernel (futex).
#ifndef ZE_CPU_SYNC_H
#define ZE_CPU_SYNC_H

#include "loss.h"

#include <level_zero/ze_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define ZC_FOREVER UINT64_MAX

// Nanoseconds of CLOCK_MONOTONIC: the time base of every timestamp the device reports.
uint64_t zc_now(void);
// The moment `timeout` nanoseconds from now; ZC_FOREVER stays ZC_FOREVER.
uint64_t zc_deadline(uint64_t timeout);

// Something that completes, well or badly, and may be reset. State and presence of sleepers share
// one word: whoever completes it touches it once, so a woken waiter may free the memory at once.
// Zero-initialised it is pending.
struct zc_completion {
    atomic_uint state;
};

// The completion lies in memory that other processes see. Called before anybody waits for it.
void zc_completion_share(struct zc_completion *completion);
void zc_completion_finish(struct zc_completion *completion, bool ok);
void zc_completion_reset(struct zc_completion *completion);
// It has completed: whoever did so does not touch it any more.
bool zc_completion_is_over(const struct zc_completion *completion);
// Whose loss ends a wait. The host counts as all devices: its waits end once nobody is left who could complete what it waits for.
struct zc_wait_devices {
    zc_device_set waiting;    // it is they that wait
    zc_device_set completing; // by one of them it is to be completed
};

// ZE_RESULT_SUCCESS, ZE_RESULT_NOT_READY or, when what completed had failed or when all devices of either set are lost before it completed,
// ZE_RESULT_ERROR_DEVICE_LOST.
ze_result_t zc_completion_status(
    const struct zc_completion *completion, struct zc_wait_devices devices);
// As status, after waiting for at most `timeout` nanoseconds.
ze_result_t zc_completion_wait(
    struct zc_completion *completion, struct zc_wait_devices devices, uint64_t timeout);

// A number that only grows (modulo 2^32) and that others wait for. Its memory must outlive every
// zc_counter_advance.
struct zc_counter {
    atomic_uint value;
    atomic_uint waiters;
};

void zc_counter_advance(struct zc_counter *counter);
bool zc_counter_has_reached(const struct zc_counter *counter, unsigned target);
// False: the time was over first, or the device that advances it is lost.
bool zc_counter_wait(
    struct zc_counter *counter, unsigned target, zc_device_set device, uint64_t timeout);

// What one at a time may have. Zero-initialised it is free.
struct zc_turn {
    atomic_uint taken;
};

// False: the device is lost.
bool zc_turn_take(struct zc_turn *turn, zc_device_set device);
void zc_turn_release(struct zc_turn *turn);

// How often a waiter looks again before it sleeps. Long spinning starves the thread it waits for on
// a small machine.
#define ZC_SPINS 200

static inline void zc_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

#endif
