// SPDX-License-Identifier: MIT
//
// Losing devices, and what is said of it.
#include "loss.h"

#include "check.h"
#include "device.h"
#include "driver.h"
#include "own.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

_Atomic zc_device_set zc_living_devices, zc_frail_devices;

// Commands until that device is lost which is to be lost after so many.
static _Atomic int64_t left;

void zc_loss_init(zc_device_set devices)
{
    atomic_store(&zc_living_devices, devices);
}

// In this order: who finds a device frail and alive counts its commands.
void zc_lose(zc_device_set devices)
{
    atomic_fetch_and(&zc_living_devices, ~devices);
    atomic_fetch_or(&zc_frail_devices, devices);
}

void zc_lose_after(zc_device_set device, uint64_t count)
{
    atomic_store(&left, count < INT64_MAX ? (int64_t)count : INT64_MAX);
    atomic_fetch_or(&zc_frail_devices, device);
    if (!count)
        zc_lose(device);
}

bool zc_loss_count_down(zc_device_set device)
{
    if (zc_are_lost(device))
        return false;
    const int64_t before = atomic_fetch_sub(&left, 1);
    if (before <= 1)
        zc_lose(device);
    return before >= 1;
}

// ---- stories ----

#define MAX_STORIES 64u

static struct {
    pthread_mutex_t lock;                  // guards what follows
    unsigned last;                         // number
    char texts[MAX_STORIES][ZC_LOSS_TEXT]; // by number, modulo how many there are
} stories = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Names of kernels and files come from programs, and may drive a terminal.
static void copy_plain(char text[ZC_LOSS_TEXT], const char *story)
{
    snprintf(text, ZC_LOSS_TEXT, "%s", story);
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

unsigned zc_loss_note(const char *story)
{
    char plain[ZC_LOSS_TEXT];
    copy_plain(plain, story);
    pthread_mutex_lock(&stories.lock);
    if (!++stories.last)
        stories.last++;
    const unsigned number = stories.last;
    memcpy(stories.texts[number % MAX_STORIES], plain, sizeof plain);
    pthread_mutex_unlock(&stories.lock);
    fprintf(stderr, "ze-cpu: %s\n", plain);
    return number;
}

// A device is frail from the beginning where it is lost after so many commands.
static bool any_lost(void)
{
    return atomic_load(&zc_frail_devices) & ~atomic_load(&zc_living_devices);
}

void zc_loss_get_story(unsigned number, char text[ZC_LOSS_TEXT])
{
    pthread_mutex_lock(&stories.lock);
    const bool kept = number && stories.last - number < MAX_STORIES;
    snprintf(text, ZC_LOSS_TEXT, "%s",
        kept         ? stories.texts[number % MAX_STORIES]
        : number     ? "the queue was lost; many others since"
        : any_lost() ? "the device was lost on demand (ZE_CPU_LOSE_DEVICE, zeCpuLoseDevice)"
                     : "a command of another process failed, which was to signal an event");
    pthread_mutex_unlock(&stories.lock);
}

ze_result_t zc_loss_explain(ze_result_t result, unsigned number)
{
    if (result == ZE_RESULT_ERROR_DEVICE_LOST)
        zc_explain_loss(number);
    return result;
}

// ---- on demand ----

ze_result_t zc_lose_device(ze_driver_handle_t driver) ZC_ENTRY_POINT(zeCpuLoseDevice);

// All of them. Waiters see it within moments. A kernel that is running goes on.
ze_result_t zc_lose_device(ze_driver_handle_t driver)
{
    ZC_REQUIRE_HANDLE(driver);
    zc_lose(driver->topology.devices);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_lose_one_device(ze_device_handle_t device) ZC_ENTRY_POINT(zeCpuLoseOneDevice);

ze_result_t zc_lose_one_device(ze_device_handle_t device)
{
    ZC_REQUIRE_HANDLE(device);
    zc_lose(zc_device_bit(device));
    return ZE_RESULT_SUCCESS;
}
