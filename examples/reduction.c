// SPDX-License-Identifier: MIT
//
// Local memory and barriers: 4,096 numbers are added up in work-groups of 64. Shows device memory with copies, a chosen
// work-group size, an argument in local memory, names that appear in messages, and a queue on which the device measures its tasks, so
// that a trace shows when they really ran (docs/tracing.md).
//
//     reduction [reduction.spv]

#include <stdlib.h>

#include <mezzanine/mezzanine.h>

enum { COUNT = 4096, GROUP = 64, GROUPS = COUNT / GROUP };

typedef struct program {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *partial_sums;
    uint32_t *input; // device memory: the host reaches it by copies only
    uint32_t *sums;  // device memory
} program;

static mez_error program_init(program *program, const char *path)
{
    mez_error err;
    if (mez_failed(err = mez_context_create(NULL, &program->context)))
        return err;
    err =
        mez_queue_create(program->context, &(mez_queue_params){.profiling = true}, &program->queue);
    if (mez_failed(err))
        return err;
    err = mez_kernel_load(program->context, path, "partial_sums", &program->partial_sums);
    if (mez_failed(err))
        return err;
    if (mez_failed(err = mez_kernel_build(program->partial_sums, NULL))) // else at its first launch
        return err;
    if (!(program->input = mez_alloc_device(program->context, COUNT * sizeof(uint32_t), &err)))
        return err;
    program->sums = mez_alloc_device(program->context, GROUPS * sizeof(uint32_t), &err);
    return err;
}

// Upload, kernel and download: three tasks that run in the order of their submission.
static mez_error run(program *program, const uint32_t *numbers, uint32_t *sums)
{
    mez_error err = mez_copy(program->queue, program->input, numbers, COUNT * sizeof *numbers,
        MEZ_TASK(.debug_name = "upload"));
    if (mez_failed(err))
        return err;
    err = mez_submit(program->queue, program->partial_sums,
        MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP)),
        MEZ_ARGS(
            MEZ_PTR(program->input), MEZ_PTR(program->sums), MEZ_LOCAL(GROUP * sizeof(uint32_t))),
        NULL);
    if (mez_failed(err))
        return err;
    err = mez_copy(program->queue, sums, program->sums, GROUPS * sizeof *sums,
        MEZ_TASK(.debug_name = "download"));
    if (mez_failed(err))
        return err;
    return mez_queue_wait(program->queue);
}

// Everything accepts NULL, so a half-made program is freed like a whole one.
static void program_finish(program *program)
{
    if (program->context) {
        mez_free(program->context, program->input);
        mez_free(program->context, program->sums);
    }
    mez_kernel_destroy(&program->partial_sums);
    mez_queue_destroy(&program->queue);
    mez_context_destroy(&program->context);
}

int main(int argc, char **argv)
{
    uint32_t numbers[COUNT], sums[GROUPS] = {0}, total = 0;
    program program = {0};
    for (uint32_t i = 0; i < COUNT; i++)
        numbers[i] = i;

    mez_error err = program_init(&program, argc > 1 ? argv[1] : "reduction.spv");
    if (!mez_failed(err))
        err = run(&program, numbers, sums);
    if (!mez_failed(err)) {
        for (uint32_t i = 0; i < GROUPS; i++)
            total += sums[i];
        printf("reduction: the numbers below %d add up to %u\n", COUNT, total);
    }
    mez_error_print(stderr, err);
    program_finish(&program);
    return mez_failed(err) ? EXIT_FAILURE : EXIT_SUCCESS;
}
