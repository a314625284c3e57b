// SPDX-License-Identifier: MIT
//
// Images and samplers when memory is short: each allocation of a call fails once, the call says so, and what it had allocated until
// then is given back. This program's allocation functions come before those of the C library.
#include "harness.h"
#include "images.h"
#include "scripted.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static _Thread_local bool counts;        // what the thread allocates
static _Thread_local unsigned countdown; // the allocation at which it is 1 fails; 0: none does
static atomic_long balance;              // allocations of threads that count, less what was freed

static bool is_short(void)
{
    return counts && countdown && --countdown == 0;
}

static void *note(void *memory)
{
    if (counts && memory)
        atomic_fetch_add(&balance, 1);
    return memory;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return is_short() ? NULL : note(__libc_malloc(size));
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    return is_short() ? NULL : note(__libc_calloc(count, size));
}

__attribute__((visibility("default"))) void *realloc(void *memory, size_t size)
{
    if (is_short())
        return NULL;
    return memory ? __libc_realloc(memory, size) : note(__libc_realloc(NULL, size));
}

__attribute__((visibility("default"))) int posix_memalign(
    void **memory, size_t alignment, size_t size)
{
    void *new = is_short() ? NULL : note(__libc_memalign(alignment, size));
    if (!new)
        return ENOMEM;
    *memory = new;
    return 0;
}

// Mappings are not counted: those that are aligned are mapped with room to spare, which goes back.
__attribute__((visibility("default"))) void *mmap(
    void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (is_short())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

__attribute__((visibility("default"))) void free(void *memory)
{
    if (counts && memory)
        atomic_fetch_sub(&balance, 1);
    __libc_free(memory);
}

struct lab {
    ze_image_handle_t image, made;
    ze_sampler_handle_t sampler;
    ze_kernel_handle_t kernel;
    ze_command_list_handle_t list;
};

// Larger than a unit, so that it has a mapping of its own.
static ze_result_t make_image(struct lab *lab)
{
    const ze_image_desc_t desc = numbers_desc(256, 256);
    return zeImageCreate(fx.context, fx.device, &desc, &lab->made);
}

static ze_result_t make_view(struct lab *lab)
{
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    return zeImageViewCreateExp(fx.context, fx.device, &desc, lab->image, &lab->made);
}

static void unmake_image(struct lab *lab)
{
    assert_ok(zeImageDestroy(lab->made));
}

static ze_result_t make_sampler(struct lab *lab)
{
    const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
    return zeSamplerCreate(fx.context, fx.device, &desc, &lab->sampler);
}

static void unmake_sampler(struct lab *lab)
{
    assert_ok(zeSamplerDestroy(lab->sampler));
}

static ze_result_t make_copy(struct lab *lab)
{
    static uint32_t numbers[16];
    return zeCommandListAppendImageCopyToMemory(
        lab->list, numbers, lab->image, NULL, NULL, 0, NULL);
}

static ze_result_t make_launch(struct lab *lab)
{
    const ze_group_count_t groups = {1, 1, 1};
    return zeCommandListAppendLaunchKernel(lab->list, lab->kernel, &groups, NULL, 0, NULL);
}

static void reset_list(struct lab *lab)
{
    assert_ok(zeCommandListReset(lab->list));
}

// Calls `make` with the first allocation failing, then with the second, and so on until it succeeds. Returns how many failed.
static unsigned walk(
    struct lab *lab, ze_result_t (*make)(struct lab *lab), void (*unmake)(struct lab *lab))
{
    for (unsigned failing = 1; failing < 20; failing++) {
        const long before = atomic_load(&balance);
        countdown = failing;
        counts = true;
        const ze_result_t result = make(lab);
        counts = false;
        countdown = 0;
        if (!result) {
            counts = true;
            unmake(lab);
            counts = false;
            return failing - 1;
        }
        assert_true(result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
                    result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_int_equal(atomic_load(&balance), before);
    }
    fail();
    return 0;
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    struct lab lab = {.list = create_list()};
    const ze_image_desc_t desc = numbers_desc(4, 4);
    ze_module_handle_t module = NULL;
    void *out = alloc_shared(4096);
    assert_ok(scripted_build("kernel:image_2d", NULL, &module, NULL));
    lab.image = create_image(&desc);
    lab.kernel = scripted_kernel(module, "image_2d");
    assert_ok(zeKernelSetArgumentValue(lab.kernel, 0, sizeof lab.image, &lab.image));
    assert_ok(zeKernelSetArgumentValue(lab.kernel, 1, sizeof out, &out));
    assert_uint_in_range(walk(&lab, make_image, unmake_image), 5, 6);
    assert_uint_in_range(walk(&lab, make_view, unmake_image), 2, 3);
    assert_uint_in_range(walk(&lab, make_sampler, unmake_sampler), 1, 2);
    assert_uint_in_range(walk(&lab, make_copy, reset_list), 1, 2);
    assert_uint_in_range(walk(&lab, make_launch, reset_list), 1, 2);
    assert_ok(zeKernelDestroy(lab.kernel));
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeImageDestroy(lab.image));
    assert_ok(zeCommandListDestroy(lab.list));
    free_memory(out);
}

// The table of images grows, too, and that fails in its turn.
static void test_tables_grow(void **state)
{
    (void)state;
    enum { COUNT = 70 };
    struct lab lab = {.list = NULL};
    ze_image_handle_t images[COUNT];
    unsigned most = 0;
    for (int i = 0; i < COUNT; i++) {
        const ze_image_desc_t desc = numbers_desc(2, 2);
        const unsigned failed = walk(&lab, make_image, unmake_image);
        most = failed > most ? failed : most;
        images[i] = create_image(&desc);
    }
    assert_int_equal(most, 6); // one more than where nothing grew
    for (int i = 0; i < COUNT; i++)
        assert_ok(zeImageDestroy(images[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_allocation_fails),
        cmocka_unit_test(test_tables_grow),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
