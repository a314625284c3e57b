// SPDX-License-Identifier: MIT

#include "lanes.h"

#include <stddef.h>

static struct trace_lane *add(
    struct trace_lanes *lanes, uint32_t process, uint64_t queue, unsigned row)
{
    struct trace_lane *lane = &lanes->lanes[lanes->count++];
    *lane =
        (struct trace_lane){.process = process, .queue = queue, .row = row, .number = lanes->count};
    return lane;
}

const struct trace_lane *trace_lanes_find(struct trace_lanes *lanes, uint32_t process,
    uint64_t queue, uint64_t *begin, uint64_t end, bool *is_new)
{
    struct trace_lane *found = NULL;
    unsigned row = 0;
    for (unsigned i = 0; i < lanes->count && !found; i++) {
        struct trace_lane *lane = &lanes->lanes[i];
        if (lane->process != process || lane->queue != queue)
            continue;
        row++;
        if (lane->end <= *begin)
            found = lane;
    }
    *is_new = !found && lanes->count < TRACE_MOST_LANES;
    if (!found)
        found = *is_new ? add(lanes, process, queue, row) : &lanes->lanes[lanes->count - 1];
    if (*begin < found->end)
        *begin = found->end;
    found->end = end > found->end ? end : found->end;
    return found;
}
