// SPDX-License-Identifier: MIT
//
// What tasks do, in plain C, and which numbers they touch.

#include "stress.h"

const uint32_t stress_plain[STRESS_ITEMS] = {
    3, 141, 59, 26, 535, 897, 93, 238, 46, 264, 33, 8327, 95, 2, 88, 419, //
    71, 69, 39, 93, 75, 105, 82, 9, 74, 944, 592, 30, 78, 16, 406, 286,   //
    20, 89, 98, 62, 80, 348, 25, 34, 21, 17, 67, 982, 14, 80, 86, 51,     //
};

mez_memory_kind stress_kind_of(uint32_t buffer)
{
    return (mez_memory_kind)(buffer % 3);
}

bool stress_is_in_order(uint32_t queue)
{
    return queue % 2 == 0;
}

bool stress_runs_no_kernels(uint32_t queue)
{
    return queue == 2 || queue == 3;
}

bool stress_is_of_thread(const stress_task *task)
{
    return task->kind >= STRESS_HOST;
}

uint32_t stress_accesses(const stress_task *task, stress_access accesses[STRESS_MOST_ACCESSES])
{
    const stress_access change = {.area = task->to, .reads = true, .writes = true};
    const stress_access write = {.area = task->to, .writes = true};
    switch (task->kind) {
    case STRESS_STEP:
    case STRESS_REVERSE:
    case STRESS_PLANE:
    case STRESS_HOST_TASK:
    case STRESS_HOST:
        accesses[0] = change;
        return 1;
    case STRESS_UPLOAD:
    case STRESS_FILL:
    case STRESS_RENEW:
        accesses[0] = write;
        return 1;
    case STRESS_TRANSFER:
    case STRESS_COMBINE:
    case STRESS_COPY:
    case STRESS_COPY_2D:
        accesses[0] = write;
        accesses[1] = (stress_access){.area = task->from, .reads = true};
        accesses[2] = (stress_access){.area = task->other, .reads = true};
        return task->kind == STRESS_COMBINE ? 3 : 2;
    default:
        return 0;
    }
}

// The number that a fill leaves in its `index`th item.
static uint32_t filled(const stress_task *task, uint32_t index)
{
    if (task->pattern == 0)
        return (task->number & 0xff) * 0x01010101u;
    return task->number + index % task->pattern;
}

typedef struct place {
    uint32_t row, column, index; // in the area
} place;

static uint32_t at(uint32_t model[STRESS_BUFFERS][STRESS_ITEMS], const stress_area *area, place p)
{
    return model[area->buffer][area->first + p.row * STRESS_PITCH + p.column];
}

static uint32_t result(
    uint32_t model[STRESS_BUFFERS][STRESS_ITEMS], const stress_task *task, place p)
{
    switch (task->kind) {
    case STRESS_STEP:
        return at(model, &task->to, p) * 3 + task->number;
    case STRESS_TRANSFER:
        return at(model, &task->from, p) + 1;
    case STRESS_COMBINE:
        return at(model, &task->from, p) * task->number + at(model, &task->other, p);
    case STRESS_PLANE:
        return at(model, &task->to, p) ^ (p.row * 16 + p.column + task->number);
    case STRESS_COPY:
    case STRESS_COPY_2D:
        return at(model, &task->from, p);
    case STRESS_UPLOAD:
        return stress_plain[p.index];
    case STRESS_HOST_TASK:
    case STRESS_HOST:
        return at(model, &task->to, p) * 5 + task->number;
    default:
        return filled(task, p.index);
    }
}

static void reverse_rows(uint32_t *items, uint32_t count)
{
    for (uint32_t row = 0; row < count; row += STRESS_PITCH) {
        for (uint32_t i = 0; i < STRESS_PITCH / 2; i++) {
            uint32_t *left = &items[row + i], *right = &items[row + STRESS_PITCH - 1 - i];
            const uint32_t kept = *left;
            *left = *right;
            *right = kept;
        }
    }
}

void stress_run_in_model(uint32_t model[STRESS_BUFFERS][STRESS_ITEMS], const stress_task *task)
{
    stress_access accesses[STRESS_MOST_ACCESSES];
    const stress_area *to = &task->to;
    if (stress_accesses(task, accesses) == 0)
        return;
    if (task->kind == STRESS_REVERSE) {
        reverse_rows(&model[to->buffer][to->first], to->width);
        return;
    }
    place p = {0};
    for (p.row = 0; p.row < to->rows; p.row++)
        for (p.column = 0; p.column < to->width; p.column++, p.index++)
            model[to->buffer][to->first + p.row * STRESS_PITCH + p.column] = result(model, task, p);
}
