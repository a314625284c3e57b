// SPDX-License-Identifier: MIT
//
// The kernels of barriers.h as plain C: each work-item is a thread, each barrier a pthread barrier.

#include "barriers_reference.h"

#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier_of_group;
static _Thread_local int local_index;
static int group_index;

#define KERNEL static void
#define GLOBAL
#define LOCAL
#define LOCAL_VARIABLE static
#define BARRIER() pthread_barrier_wait(&barrier_of_group)
#define LOCAL_INDEX local_index
#define GLOBAL_INDEX (group_index * REFERENCE_GROUP_SIZE + local_index)
#define GROUP_INDEX group_index

#include "barriers.h"

const struct reference_kernel reference_kernels[] = {
    {"private_arrays", private_arrays},
    {"data_dependent_loop", data_dependent_loop},
    {"reduction_with_early_return", reduction_with_early_return},
    {"swapped_pointers", swapped_pointers},
    {"helper_function", helper_function},
    {"switch_after_barrier", switch_after_barrier},
};
const size_t reference_kernel_count = sizeof(reference_kernels) / sizeof(reference_kernels[0]);

struct work_item {
    const struct reference_kernel *kernel;
    int *out;
    const int *in;
    int n;
    int index;
};

static void *run_work_item(void *data)
{
    const struct work_item *item = data;
    local_index = item->index;
    item->kernel->run(item->out, item->in, item->n);
    return NULL;
}

void run_reference_group(
    const struct reference_kernel *kernel, int group, int *out, const int *in, int n)
{
    pthread_t threads[REFERENCE_GROUP_SIZE];
    struct work_item items[REFERENCE_GROUP_SIZE];
    group_index = group;
    pthread_barrier_init(&barrier_of_group, NULL, REFERENCE_GROUP_SIZE);
    for (int i = 0; i < REFERENCE_GROUP_SIZE; i++) {
        items[i] = (struct work_item){kernel, out, in, n, i};
        pthread_create(&threads[i], NULL, run_work_item, &items[i]);
    }
    for (int i = 0; i < REFERENCE_GROUP_SIZE; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier_of_group);
}
