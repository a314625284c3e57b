// SPDX-License-Identifier: MIT
//
// From a seed to a plan.

#include <string.h>

#include "../random.h"
#include "stress.h"

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    return mez_test_random_below(&random_state, bound);
}

static bool host_has_shared; // of the plan; so the next
static uint32_t only_pair;   // of queues that are used; as many as there are: all

static bool in_percent(uint32_t percent)
{
    return random_below(100) < percent;
}

// --- What is known while the plan grows

typedef struct cell {
    uint32_t writer;    // the last one
    stress_set readers; // since
} cell;

typedef struct growing {
    stress_plan *plan;
    cell cells[STRESS_BUFFERS][STRESS_ITEMS];
    stress_set users[STRESS_BUFFERS];     // of the memory that the buffer has now
    uint32_t renewed[STRESS_BUFFERS];     // the task that made it
    stress_set on_queue[STRESS_QUEUES];   // its tasks
    stress_set over[STRESS_MOST_THREADS]; // have ended before the thread goes on
    stress_set ended[STRESS_MOST_TASKS];  // have ended before the task begins
} growing;

static bool touches(const stress_area *area, uint32_t buffer, uint32_t item)
{
    if (area->buffer != buffer || item < area->first)
        return false;
    const uint32_t distance = item - area->first;
    if (area->rows == 1)
        return distance < area->width;
    return distance % STRESS_PITCH < area->width && distance / STRESS_PITCH < area->rows;
}

static void add_required(const cell *cell, const stress_access *access, stress_set *required)
{
    if (access->writes && !stress_set_is_empty(&cell->readers))
        stress_set_unite(required, &cell->readers); // which are behind the writer
    else
        stress_set_add(required, cell->writer);
}

// The tasks that this one must not overtake, except for those that must not overtake each other anyway.
static stress_set required_by(const growing *g, const stress_task *task)
{
    stress_set required = {0};
    stress_access accesses[STRESS_MOST_ACCESSES];
    const uint32_t count =
        task->kind == STRESS_RENEW ? 0 : stress_accesses(task, accesses); // nobody knows its memory
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t item = 0; item < STRESS_ITEMS; item++)
            if (touches(&accesses[i].area, accesses[i].area.buffer, item))
                add_required(&g->cells[accesses[i].area.buffer][item], &accesses[i], &required);
    // Where the driver moves whole pages, the host has them to itself.
    const bool host = task->kind == STRESS_HOST || task->kind == STRESS_HOST_TASK;
    if (host && stress_kind_of(task->to.buffer) == MEZ_MEMORY_SHARED)
        required = g->users[task->to.buffer];
    return required;
}

static void note_access(growing *g, const stress_access *access, uint32_t number)
{
    const uint32_t buffer = access->area.buffer;
    stress_set_add(&g->users[buffer], number);
    for (uint32_t item = 0; item < STRESS_ITEMS; item++) {
        cell *cell = &g->cells[buffer][item];
        if (!touches(&access->area, buffer, item))
            continue;
        if (access->writes)
            *cell = (struct cell){.writer = number};
        else
            stress_set_add(&cell->readers, number);
    }
}

static void note(growing *g, const stress_task *task, uint32_t number)
{
    stress_access accesses[STRESS_MOST_ACCESSES];
    const uint32_t count = stress_accesses(task, accesses);
    if (task->kind == STRESS_RENEW) {
        g->users[task->to.buffer] = (stress_set){0};
        g->renewed[task->to.buffer] = number;
    }
    for (uint32_t i = count; i-- > 0;) // what is written last counts
        note_access(g, &accesses[i], number);
    if (task->kind == STRESS_PREFETCH)
        stress_set_add(&g->users[task->to.buffer], number);
    if (!stress_is_of_thread(task))
        stress_set_add(&g->on_queue[task->queue], number);
}

// --- Keeping a task behind others

static void has_ended(growing *g, uint32_t number, uint32_t earlier)
{
    stress_set_add(&g->ended[number], earlier);
    stress_set_unite(&g->ended[number], &g->ended[earlier]);
}

static void wait_for_event(growing *g, uint32_t number, uint32_t earlier)
{
    stress_set_add(&g->plan->tasks[number].before, earlier);
    stress_set_add(&g->plan->tasks[number].waits, earlier);
    has_ended(g, number, earlier);
}

static void wait_in_thread(growing *g, uint32_t number, uint32_t earlier)
{
    stress_set_add(&g->plan->tasks[number].before, earlier);
    stress_set_add(&g->plan->tasks[number].host_waits, earlier);
    has_ended(g, number, earlier);
}

static void be_submitted_behind(growing *g, uint32_t number, uint32_t earlier)
{
    stress_set_add(&g->plan->tasks[number].before, earlier);
    has_ended(g, number, earlier);
}

// The newest barrier of a queue behind which `earlier` has ended (STRESS_QUEUES: or marker, of any); `number`: there is none.
static uint32_t barrier_behind(const growing *g, uint32_t number, uint32_t earlier, uint32_t queue)
{
    for (uint32_t i = number; i-- > earlier;) {
        const stress_task *task = &g->plan->tasks[i];
        const bool barrier = task->kind == STRESS_BARRIER && task->queue == queue;
        const bool marker = task->kind == STRESS_BARRIER || task->kind == STRESS_MARKER;
        if ((queue == STRESS_QUEUES ? marker : barrier) && stress_set_has(&g->ended[i], earlier))
            return i;
    }
    return number;
}

static void keep_behind(growing *g, uint32_t number, uint32_t earlier)
{
    const stress_task *task = &g->plan->tasks[number], *other = &g->plan->tasks[earlier];
    const uint32_t here = barrier_behind(g, number, earlier, task->queue);
    const uint32_t anywhere = barrier_behind(g, number, earlier, STRESS_QUEUES);
    const bool same = task->queue == other->queue && stress_is_in_order(task->queue);
    if (stress_is_of_thread(other) || (same && in_percent(75)))
        be_submitted_behind(g, number, earlier);
    else if (here != number && in_percent(75))
        be_submitted_behind(g, number, here);
    else if (anywhere != number && in_percent(40))
        wait_for_event(g, number, anywhere);
    else if (!task->nested && in_percent(10))
        wait_in_thread(g, number, earlier);
    else
        wait_for_event(g, number, earlier);
}

static void keep_host_behind(growing *g, uint32_t number, uint32_t earlier)
{
    if (stress_is_of_thread(&g->plan->tasks[earlier]))
        be_submitted_behind(g, number, earlier);
    else
        wait_in_thread(g, number, earlier);
}

static void keep_behind_all(growing *g, uint32_t number, const stress_set *required)
{
    const bool host = stress_is_of_thread(&g->plan->tasks[number]);
    for (uint32_t earlier = number; earlier-- > 0;) {
        if (!stress_set_has(required, earlier) || stress_set_has(&g->ended[number], earlier))
            continue;
        if (host)
            keep_host_behind(g, number, earlier);
        else
            keep_behind(g, number, earlier);
    }
}

// A barrier, a marker, a wait for a queue: behind all that the plan has given to the queue.
static void keep_behind_queue(growing *g, uint32_t number)
{
    const stress_set *all = &g->on_queue[g->plan->tasks[number].queue];
    for (uint32_t earlier = 0; earlier < number; earlier++)
        if (stress_set_has(all, earlier))
            be_submitted_behind(g, number, earlier);
}

// Waits that nothing asks for: a few for new tasks, which run still, or more than a queue has room for without allocating.
static void add_needless_waits(growing *g, uint32_t number)
{
    // The event of the task that submits this one may not have come back yet.
    const uint32_t known = number - g->plan->tasks[number].nested;
    const bool many = in_percent(15);
    const uint32_t newest = many || known < 8 ? known : 8;
    for (uint32_t i = 1 + random_below(many ? 30 : 2); i > 0 && known > 0; i--) {
        const uint32_t earlier = known - 1 - random_below(newest);
        if (!stress_is_of_thread(&g->plan->tasks[earlier]))
            wait_for_event(g, number, earlier);
    }
}

// A look at one of the newest tasks: with it ends what is before it on an in-order queue, and no other.
static void add_needless_wait_in_thread(growing *g, uint32_t number)
{
    const uint32_t earlier = number - 1 - random_below(number < 6 ? number : 6);
    if (!stress_is_of_thread(&g->plan->tasks[earlier]))
        wait_in_thread(g, number, earlier);
}

static void set_order(growing *g, uint32_t number)
{
    stress_task *task = &g->plan->tasks[number];
    const stress_set required = required_by(g, task);
    g->ended[number] = g->over[task->thread];
    if (task->nested)
        be_submitted_behind(g, number, number - 1);
    if (task->kind == STRESS_BARRIER || task->kind == STRESS_MARKER || task->kind == STRESS_WAIT)
        keep_behind_queue(g, number);
    if (task->kind == STRESS_RENEW) // whose memory must have been used before it is freed
        stress_set_unite(&task->before, &g->users[task->to.buffer]);
    if (task->kind == STRESS_PREFETCH)
        stress_set_add(&task->before, g->renewed[task->to.buffer]);
    if (!stress_is_of_thread(task) && in_percent(task->kind == STRESS_BARRIER ? 60 : 15))
        add_needless_waits(g, number);
    if (!stress_is_of_thread(task) && !task->nested && number > 0 && in_percent(5))
        add_needless_wait_in_thread(g, number);
    keep_behind_all(g, number, &required);
}

// What the thread knows once it has gone on behind the task.
static void pass(growing *g, uint32_t number)
{
    const stress_task *task = &g->plan->tasks[number];
    stress_set *over = &g->over[task->thread];
    for (uint32_t i = 0; i < number; i++)
        if (stress_set_has(&task->host_waits, i)) {
            stress_set_add(over, i);
            stress_set_unite(over, &g->ended[i]);
        }
    if (stress_is_of_thread(task)) {
        stress_set_add(over, number);
        stress_set_unite(over, &g->ended[number]);
    }
}

static void count_users(stress_plan *plan, uint32_t number)
{
    const stress_task *task = &plan->tasks[number];
    for (uint32_t i = 0; i < number; i++)
        plan->tasks[i].event_users +=
            stress_set_has(&task->waits, i) + stress_set_has(&task->host_waits, i);
}

static void add(growing *g, stress_task task)
{
    stress_plan *plan = g->plan;
    const uint32_t number = plan->count++;
    plan->tasks[number] = task;
    set_order(g, number);
    note(g, &task, number);
    pass(g, number);
    count_users(plan, number);
    stress_run_in_model(plan->model, &task);
    if (!task.nested)
        return;
    stress_task *outer = &plan->tasks[number - 1]; // submits it without waiting for other threads
    stress_set_unite(&outer->before, &plan->tasks[number].before);
    stress_set_remove(&outer->before, number - 1);
}

// --- Random tasks

static stress_area random_line(uint32_t buffer)
{
    const uint32_t first = in_percent(50) ? 0 : random_below(STRESS_ITEMS);
    const uint32_t most = STRESS_ITEMS - first;
    return (stress_area){
        .buffer = buffer, .first = first, .width = 1 + random_below(most), .rows = 1};
}

static stress_area random_rows(uint32_t buffer)
{
    const uint32_t first = random_below(STRESS_ROWS);
    const uint32_t count = 1 + random_below(STRESS_ROWS - first);
    return (stress_area){
        .buffer = buffer, .first = first * STRESS_PITCH, .width = count * STRESS_PITCH, .rows = 1};
}

static stress_area random_rectangle(uint32_t buffer)
{
    const uint32_t column = random_below(STRESS_PITCH - 1), row = random_below(STRESS_ROWS - 1);
    return (stress_area){.buffer = buffer,
        .first = row * STRESS_PITCH + column,
        .width = 1 + random_below(STRESS_PITCH - column),
        .rows = 2 + random_below(STRESS_ROWS - row - 1)};
}

// An area of the same shape in another buffer.
static stress_area moved(stress_area area)
{
    const uint32_t last = area.rows == 1 ? area.width : (area.rows - 1) * STRESS_PITCH + area.width;
    area.buffer = (area.buffer + 1 + random_below(STRESS_BUFFERS - 1)) % STRESS_BUFFERS;
    if (area.rows == 1)
        area.first = random_below(STRESS_ITEMS - last + 1);
    else
        area.first =
            area.first % STRESS_PITCH + random_below(STRESS_ROWS - area.rows + 1) * STRESS_PITCH;
    return area;
}

static stress_area whole(uint32_t buffer)
{
    return (stress_area){.buffer = buffer, .width = STRESS_ITEMS, .rows = 1};
}

// One that the host reaches.
static stress_area random_host_area(void)
{
    const uint32_t buffer = 3 * random_below(2) + 1 + (host_has_shared ? random_below(2) : 0);
    return stress_kind_of(buffer) == MEZ_MEMORY_SHARED ? whole(buffer) : random_line(buffer);
}

static stress_area random_area(stress_kind kind)
{
    const uint32_t buffer = random_below(STRESS_BUFFERS);
    switch (kind) {
    case STRESS_REVERSE:
        return random_rows(buffer);
    case STRESS_PLANE:
    case STRESS_COPY_2D:
        return random_rectangle(buffer);
    case STRESS_PREFETCH:
        return whole(2 + 3 * random_below(2));
    case STRESS_RENEW:
        return whole(buffer);
    case STRESS_HOST:
    case STRESS_HOST_TASK:
        return random_host_area();
    default:
        return random_line(buffer);
    }
}

static stress_kind random_kind(void)
{
    static const uint8_t percent[STRESS_KINDS] = {
        [STRESS_STEP] = 16,
        [STRESS_TRANSFER] = 8,
        [STRESS_COMBINE] = 9,
        [STRESS_REVERSE] = 6,
        [STRESS_PLANE] = 5,
        [STRESS_COPY] = 10,
        [STRESS_COPY_2D] = 8,
        [STRESS_UPLOAD] = 2,
        [STRESS_FILL] = 6,
        [STRESS_PREFETCH] = 2,
        [STRESS_BARRIER] = 8,
        [STRESS_RENEW] = 7,
        [STRESS_HOST_TASK] = 7,
        [STRESS_MARKER] = 2,
        [STRESS_HOST] = 1,
        [STRESS_WAIT] = 3,
    };
    uint32_t kind = 0;
    for (uint32_t left = random_below(100); left >= percent[kind]; kind++)
        left -= percent[kind];
    return (stress_kind)kind;
}

// One of the thread's own, or of the last two, which are everybody's; or one of two in all.
static uint32_t random_queue(uint32_t thread, uint32_t threads)
{
    if (only_pair < STRESS_QUEUES / 2)
        return 2 * only_pair + random_below(2);
    const uint32_t shared = 2, own = STRESS_QUEUES - shared;
    if (in_percent(40))
        return own + random_below(shared);
    return (thread + threads * random_below(own)) % own;
}

static void choose_pattern(stress_task *task)
{
    static const uint32_t patterns[] = {0, 1, 4};
    task->pattern = patterns[random_below(3)];
    if (task->kind == STRESS_FILL && task->pattern > 1)
        task->to = random_rows(task->to.buffer); // whole patterns
}

static stress_task random_task(uint32_t threads)
{
    stress_task task = {
        .kind = random_kind(),
        .thread = random_below(threads),
        .number = random_below(1000),
        .one_group = in_percent(30),
        .spare_event = in_percent(10),
        .keep_event = in_percent(20),
        .flush = in_percent(5),
        .look = in_percent(5),
        .callback = in_percent(5),
    };
    task.queue = random_queue(task.thread, threads);
    if (task.kind <= STRESS_PLANE && stress_runs_no_kernels(task.queue))
        task.queue += 2;
    task.to = random_area(task.kind);
    stress_access accesses[STRESS_MOST_ACCESSES];
    const uint32_t count = stress_accesses(&task, accesses);
    task.from = count > 1 ? moved(task.to) : task.to;
    task.other = count > 2 ? moved(task.to) : task.to;
    if (task.kind == STRESS_FILL || task.kind == STRESS_RENEW)
        choose_pattern(&task);
    return task;
}

// The same launch as the queue's last one, by whatever thread: what a queue remembers of it serves again.
static bool find_again(const stress_plan *plan, uint32_t queue, stress_task *task)
{
    for (uint32_t i = plan->count; i-- > 0;) {
        if (plan->tasks[i].kind > STRESS_PLANE || plan->tasks[i].queue != queue)
            continue;
        const stress_task *last = &plan->tasks[i];
        task->kind = last->kind;
        task->to = last->to;
        task->from = last->from;
        task->other = last->other;
        task->number = last->number;
        task->one_group = last->one_group;
        return true;
    }
    return false;
}

static void add_random(growing *g)
{
    stress_plan *plan = g->plan;
    stress_task task = random_task(plan->threads);
    if (in_percent(15) && !stress_is_of_thread(&task))
        find_again(plan, task.queue, &task);
    if (task.kind != STRESS_HOST_TASK || in_percent(50)) {
        add(g, task);
        return;
    }
    task.nests = true;
    add(g, task);
    stress_task nested = random_task(plan->threads);
    while (stress_is_of_thread(&nested) || nested.kind == STRESS_RENEW)
        nested = random_task(plan->threads);
    nested.thread = task.thread;
    nested.nested = true;
    add(g, nested);
}

static void add_buffers(growing *g)
{
    for (uint32_t buffer = 0; buffer < STRESS_BUFFERS; buffer++) {
        stress_task task = {.kind = STRESS_RENEW, .to = whole(buffer), .number = buffer};
        task.thread = random_below(g->plan->threads);
        task.queue = random_queue(task.thread, g->plan->threads);
        choose_pattern(&task);
        add(g, task);
    }
}

void stress_make_plan(stress_plan *plan, uint64_t seed, bool shared)
{
    static growing g;
    memset(&g, 0, sizeof g);
    memset(plan, 0, sizeof *plan);
    g.plan = plan;
    random_state = seed;
    host_has_shared = shared;
    only_pair = random_below(STRESS_QUEUES - 1);
    plan->threads = in_percent(40) ? 1 : 2 + random_below(STRESS_MOST_THREADS - 1);
    plan->destroys_queue = in_percent(30);
    plan->destroyed = random_below(STRESS_QUEUES);
    const uint32_t most = STRESS_MOST_TASKS - STRESS_BUFFERS - 2;
    add_buffers(&g);
    for (uint32_t left = 1 + random_below(most); left > 0 && plan->count < STRESS_MOST_TASKS - 1;
         left--)
        add_random(&g);
}
