// SPDX-License-Identifier: MIT
// What the driver claims to be.
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards current
static struct noop_config current;

_Atomic bool noop_executes_copies;

struct noop_config noop_config_default(void)
{
    const ze_memory_access_cap_flags_t memory =
        ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
    return (struct noop_config){
        .api_version = ZE_API_VERSION_1_4,
        .driver_version = 1u << 24 | 3u << 16 | 24595u,
        .devices = 1,
        .type = ZE_DEVICE_TYPE_GPU,
        .name = "no-op device",
        .vendor_id = 0x8086,
        .device_id = 0x9a49,
        .max_image_size = 2048,
        .memory_size = 8ull << 30,
        .max_allocation_size = 4ull << 30,
        .free_memory = 5ull << 30,
        .memory_modules = 1,
        .host_memory = memory,
        .device_memory = memory,
        .shared_memory = memory,
        .module_flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 |
                        ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS,
        .spirv_version = ZE_MAKE_VERSION(1, 2),
        .max_arguments_size = 2048,
        .max_group_size = 512,
        .max_group_count = UINT32_MAX,
        .max_local_memory = 65536,
        .sub_group_sizes = {8, 16, 32},
        .queue_groups =
            {
                {.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                          ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                          ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS,
                    .queues = 1,
                    .max_fill_pattern = 128},
                {.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY,
                    .queues = 1,
                    .max_fill_pattern = 16},
            },
        .kernel_arguments = NOOP_ARGUMENTS_OF_MODULE,
        .build_log = "",
    };
}

static void set_current(const struct noop_config *config)
{
    pthread_mutex_lock(&lock);
    current = *config;
    if (current.devices > NOOP_MAX_DEVICES)
        current.devices = NOOP_MAX_DEVICES;
    if (current.sub_devices > NOOP_MAX_SUB_DEVICES)
        current.sub_devices = NOOP_MAX_SUB_DEVICES;
    if (current.memory_modules > NOOP_MAX_MEMORY_MODULES)
        current.memory_modules = NOOP_MAX_MEMORY_MODULES;
    atomic_store_explicit(&noop_executes_copies, current.execute_copies, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}

void noop_configure(const struct noop_config *config)
{
    set_current(config);
}

struct noop_config noop_config_get(void)
{
    pthread_mutex_lock(&lock);
    const struct noop_config config = current;
    pthread_mutex_unlock(&lock);
    return config;
}

bool noop_config_lists(const struct noop_config *config, const char *extension)
{
    const char *const *names = config->extensions;
    for (; names != NULL && *names != NULL; names++)
        if (strcmp(*names, extension) == 0)
            return true;
    return false;
}

void noop_config_reset(void)
{
    const struct noop_config config = noop_config_default();
    set_current(&config);
}

void noop_reset(void)
{
    noop_plan_reset();
    noop_list_forget_launches();
    noop_modules_reset();
    noop_hold(false);
    noop_ticket_end_calls();
    noop_config_reset();
}

__attribute__((constructor)) static void read_environment(void)
{
    struct noop_config config = noop_config_default();
    const char *devices = getenv("NOOP_DEVICES");
    if (devices != NULL)
        config.devices = (uint32_t)strtoul(devices, NULL, 0);
    set_current(&config);

    const char *failures = getenv("NOOP_FAIL");
    if (failures != NULL)
        noop_plan_parse(failures);
}
