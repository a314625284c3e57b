// SPDX-License-Identifier: MIT

#include "runtime.h"

#include <stdlib.h>

struct noop_config linking_config(void)
{
    static const char *const extensions[] = {"ZE_experimental_module_program", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = extensions;
    config.execute_copies = true;
    return config;
}

const char *file_of(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("MEZ_TEST_FILES"), name);
    return path;
}

const void *bytes_of(const char *name, size_t *size)
{
    static char bytes[1 << 16];
    FILE *file = fopen(file_of(name), "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return bytes;
}

mez_kernel *load_kernel(mez_context *context, const char *file, const char *name)
{
    mez_kernel *kernel;
    assert_ok(mez_kernel_load(context, file_of(file), name, &kernel));
    return kernel;
}

void load_kernels(runtime *r)
{
    r->nothing = load_kernel(r->context, "kernels.spv", "nothing");
    r->saxpy = load_kernel(r->context, "kernels.spv", "saxpy");
    assert_ok(mez_kernel_build(r->nothing, NULL));
    assert_ok(mez_kernel_build(r->saxpy, NULL));
    r->x = mez_alloc_shared(r->context, COUNT * sizeof *r->x, NULL);
    r->y = mez_alloc_shared(r->context, COUNT * sizeof *r->y, NULL);
    assert_non_null(r->x);
    assert_non_null(r->y);
}

static runtime *start(const struct noop_config *config)
{
    static runtime r;
    noop_reset();
    noop_configure(config);
    r = (runtime){0};
    assert_ok(mez_context_create(NULL, &r.context));
    assert_ok(mez_queue_create(r.context, NULL, &r.queue));
    return &r;
}

int runtime_setup(void **state)
{
    const struct noop_config config = noop_config_default();
    runtime *r = start(&config);
    load_kernels(r);
    *state = r;
    return 0;
}

static void have_in_order_lists(struct noop_config *config)
{
    config->api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
}

int runtime_setup_in_order(void **state)
{
    struct noop_config config = noop_config_default();
    have_in_order_lists(&config);
    runtime *r = start(&config);
    load_kernels(r);
    *state = r;
    return 0;
}

int runtime_setup_in_order_linking(void **state)
{
    struct noop_config config = linking_config();
    have_in_order_lists(&config);
    runtime *r = start(&config);
    load_kernels(r);
    *state = r;
    return 0;
}

int runtime_setup_linking(void **state)
{
    const struct noop_config config = linking_config();
    *state = start(&config);
    return 0;
}

int runtime_teardown(void **state)
{
    runtime *r = *state;
    noop_hold(false);
    mez_queue_destroy(&r->queue);
    mez_kernel_destroy(&r->nothing);
    mez_kernel_destroy(&r->saxpy);
    if (r->context) {
        mez_free(r->context, r->x);
        mez_free(r->context, r->y);
    }
    mez_context_destroy(&r->context);
    return driver_teardown(state);
}

int driver_setup(void **state)
{
    (void)state;
    noop_reset();
    return 0;
}

int driver_teardown(void **state)
{
    (void)state;
    if (noop_live_total() == 0)
        return 0;
    print_error("%lld objects of the driver are left\n", (long long)noop_live_total());
    return -1;
}

void watch_calls(void)
{
    noop_log_start();
}

const char *calls(void)
{
    static const char *names[4096];
    static char text[128 * 4096];
    const size_t count = noop_log(names, 4096);
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && i < 4096; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s ", names[i] + 2);
    return text;
}

mez_error submit_nothing(runtime *r, const mez_task_params *task)
{
    return mez_submit(r->queue, r->nothing, MEZ_RANGE(COUNT), NULL, task);
}

mez_error submit_saxpy(runtime *r, const mez_task_params *task)
{
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y));
    return mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT), args, task);
}
