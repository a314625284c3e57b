// SPDX-License-Identifier: MIT

#include "fixture.h"

#include <dlfcn.h>

struct functions ze;

void *find(void *library, const char *name)
{
    void *address = dlsym(library, name);
    assert_non_null(address);
    return address;
}

void load(void)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(loader);
#define FIND(name) *(void **)&ze.name = find(loader, #name);
    FUNCTIONS(FIND)
}

static struct fixture the_fixture;

int create_fixture(void **state)
{
    load();
    assert_ok(ze.zeInit(0));
    uint32_t one = 1;
    assert_ok(ze.zeDriverGet(&one, &the_fixture.driver));
    assert_ok(ze.zeDeviceGet(the_fixture.driver, &one, &the_fixture.device));
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    assert_ok(ze.zeContextCreate(the_fixture.driver, &desc, &the_fixture.context));
    *state = &the_fixture;
    return 0;
}

int destroy_fixture(void **state)
{
    (void)state;
    return (int)ze.zeContextDestroy(the_fixture.context);
}

int reset(void **state)
{
    (void)state;
    noop_reset();
    return 0;
}

int check_leaks(void **state)
{
    (void)state;
    return noop_live_total() == 1 && noop_live(NOOP_CONTEXT) == 1 ? 0 : -1;
}

ze_command_list_handle_t create_immediate_list(const struct fixture *f)
{
    const ze_command_queue_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_list_handle_t list = NULL;
    assert_ok(ze.zeCommandListCreateImmediate(f->context, f->device, &desc, &list));
    return list;
}

ze_command_list_handle_t create_list(const struct fixture *f)
{
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = NULL;
    assert_ok(ze.zeCommandListCreate(f->context, f->device, &desc, &list));
    return list;
}

ze_command_queue_handle_t create_queue(const struct fixture *f)
{
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_command_queue_handle_t queue = NULL;
    assert_ok(ze.zeCommandQueueCreate(f->context, f->device, &desc, &queue));
    return queue;
}

struct events create_events(const struct fixture *f)
{
    struct events events = {0};
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = EVENTS};
    assert_ok(ze.zeEventPoolCreate(f->context, &pool_desc, 0, NULL, &events.pool));
    for (uint32_t i = 0; i < EVENTS; i++) {
        const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
        assert_ok(ze.zeEventCreate(events.pool, &desc, &events.all[i]));
    }
    return events;
}

void destroy_events(struct events *events)
{
    for (uint32_t i = 0; i < EVENTS; i++)
        assert_ok(ze.zeEventDestroy(events->all[i]));
    assert_ok(ze.zeEventPoolDestroy(events->pool));
}

// kernel void add(x, y, z), kernel void run(void), and an import named ext.
const uint32_t spirv[] = {
    0x07230203, 0x00010000, 0, 20, 0,              // header
    WORDS(4) | 15, 6, 1, STRING('a', 'd', 'd', 0), // OpEntryPoint Kernel %1 "add"
    WORDS(4) | 15, 6, 2, STRING('r', 'u', 'n', 0), // OpEntryPoint Kernel %2 "run"
    WORDS(5) | 71, 9, 41, STRING('e', 'x', 't', 0),
    1,                                            // OpDecorate %9 LinkageAttributes "ext" Import
    WORDS(5) | 54, 10, 1, 0, 11,                  // %1 = OpFunction
    WORDS(3) | 55, 12, 13,                        // OpFunctionParameter
    WORDS(3) | 55, 12, 14, WORDS(3) | 55, 12, 15, //
    WORDS(1) | 56,                                // OpFunctionEnd
    WORDS(5) | 54, 10, 2, 0, 11, WORDS(1) | 56,   // %2 = OpFunction
};

ze_result_t build(const struct fixture *f, const void *input, size_t size,
    ze_module_handle_t *module, ze_module_build_log_handle_t *log)
{
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = size,
        .pInputModule = input};
    return ze.zeModuleCreate(f->context, f->device, &desc, module, log);
}

ze_module_handle_t create_module(const struct fixture *f)
{
    ze_module_handle_t module = NULL;
    assert_ok(build(f, spirv, sizeof spirv, &module, NULL));
    return module;
}

ze_result_t create_kernel(ze_module_handle_t module, const char *name, ze_kernel_handle_t *kernel)
{
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    return ze.zeKernelCreate(module, &desc, kernel);
}
