// SPDX-License-Identifier: MIT
//
// What all tests share.
#include "harness.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct fixture fx;

// Sanitizers exit on RTLD_DEEPBIND, with which Intel's driver opens its compiler. The executable's
// dlopen comes first.
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    void *symbol = dlsym(RTLD_NEXT, "dlopen");
    void *(*next)(const char *, int) = NULL;
    memcpy(&next, &symbol, sizeof next);
    return next(name, flags & ~RTLD_DEEPBIND);
}

static bool is_ours(ze_driver_handle_t driver)
{
    uint32_t count = 1;
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGet(driver, &count, &fx.device));
    assert_ok(zeDeviceGetProperties(fx.device, &properties));
    return strncmp(properties.name, "ze-cpu", strlen("ze-cpu")) == 0;
}

static void find_driver(void)
{
    ze_driver_handle_t drivers[8];
    uint32_t count = 0;
    assert_ok(zeDriverGet(&count, NULL));
    assert_uint_in_range(count, 1, 8);
    assert_ok(zeDriverGet(&count, drivers));
    fx.wrapped =
        strchr(getenv("ZE_ENABLE_ALT_DRIVERS"), ',') || getenv("ZE_ENABLE_LOADER_INTERCEPT");
    for (uint32_t i = 0; i < count && !fx.driver; i++)
        if (is_ours(drivers[i]))
            fx.driver = drivers[i];
    assert_non_null(fx.driver);
}

void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

int set_up(void **state)
{
    (void)state;
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    assert_ok(zeInit(0));
    find_driver();
    assert_ok(zeContextCreate(fx.driver, &desc, &fx.context));
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    assert_ok(zeContextDestroy(fx.context));
    return 0;
}

void *alloc_shared(size_t size)
{
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *pointer = NULL;
    assert_ok(zeMemAllocShared(fx.context, &device, &host, size, 0, fx.device, &pointer));
    return pointer;
}

void *alloc_device(size_t size)
{
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *pointer = NULL;
    assert_ok(zeMemAllocDevice(fx.context, &desc, size, 0, fx.device, &pointer));
    return pointer;
}

void *alloc_host(size_t size)
{
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *pointer = NULL;
    assert_ok(zeMemAllocHost(fx.context, &desc, size, 0, &pointer));
    return pointer;
}

void free_memory(void *pointer)
{
    assert_ok(zeMemFree(fx.context, pointer));
}

ze_command_list_handle_t create_list(void)
{
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
    return list;
}

ze_command_list_handle_t create_immediate(ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode};
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreateImmediate(fx.context, fx.device, &desc, &list));
    return list;
}

ze_command_queue_handle_t create_queue(ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode};
    ze_command_queue_handle_t queue = NULL;
    assert_ok(zeCommandQueueCreate(fx.context, fx.device, &desc, &queue));
    return queue;
}

ze_event_pool_handle_t create_pool(uint32_t count, ze_event_pool_flags_t flags)
{
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = flags | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = count};
    ze_event_pool_handle_t pool = NULL;
    assert_ok(zeEventPoolCreate(fx.context, &desc, 1, &fx.device, &pool));
    return pool;
}

ze_event_handle_t create_event(ze_event_pool_handle_t pool, uint32_t index)
{
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
        .index = index,
        .signal = ZE_EVENT_SCOPE_FLAG_HOST,
        .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event = NULL;
    assert_ok(zeEventCreate(pool, &desc, &event));
    return event;
}

void execute_and_wait(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * ONE_SECOND + (uint64_t)time.tv_nsec;
}

bool is_validated(void)
{
    return getenv("ZE_ENABLE_VALIDATION_LAYER") != NULL;
}

struct later {
    uint64_t delay;
    void (*body)(void *);
    void *argument;
};

static void *run_later(void *argument)
{
    struct later *later = argument;
    const struct timespec delay = {
        .tv_sec = (time_t)(later->delay / ONE_SECOND),
        .tv_nsec = (long)(later->delay % ONE_SECOND),
    };
    nanosleep(&delay, NULL);
    later->body(later->argument);
    free(later);
    return NULL;
}

unsigned long start_later(uint64_t delay, void (*body)(void *), void *argument)
{
    struct later *later = malloc(sizeof *later);
    pthread_t thread;
    assert_non_null(later);
    *later = (struct later){delay, body, argument};
    assert_int_equal(pthread_create(&thread, NULL, run_later, later), 0);
    return thread;
}

void join_later(unsigned long thread)
{
    assert_int_equal(pthread_join(thread, NULL), 0);
}

pid_t start_other(char *program, char *mode, int socket)
{
    char *arguments[] = {program, mode, NULL};
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, OTHERS_SOCKET);
    assert_int_equal(posix_spawn(&pid, program, &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

unsigned count_descriptors(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}
