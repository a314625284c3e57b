// SPDX-License-Identifier: MIT
//
// The commands that events are about. Memory stays flat: a fixed number of the newest are known, which is more than programs have in
// flight.

#ifndef TRACE_NODES_H
#define TRACE_NODES_H

#include "memory.h"
#include "record.h"

struct trace_node {
    uint64_t id;     // the event's; used again by later ones
    uint64_t serial; // 1, 2, 3, ...; 0: free
    // The number of its submission: one whose making was lost may look like an older one.
    uint64_t arrow;
    uint64_t submitted; // 0: not yet
    uint32_t place,
        file_place;   // the strings of its event: another event may have the same id later
    const char *name; // of the kernel or command
    const char *kind; // as published: "command_group_node", ...
    const char *file;
    const char *device;
    uint32_t line;
    uint32_t process;
    bool running;   // submitted, and its end is not known yet
    uint64_t queue; // its id
    bool has_queue;
    uint64_t bytes; // that a memory command moves or sets
    uint64_t global_size[3];
    uint64_t local_size[3]; // 0: not known
    const char *caller;     // the function that has submitted it
    char *arguments;        // of a launch, as text; NULL: not known
};

struct trace_nodes;

struct trace_nodes *trace_nodes_create(void); // NULL: no memory
void trace_nodes_destroy(struct trace_nodes **nodes);

// Where a node with that id goes: the place of the one that has it, or of an old one, which is still there.
struct trace_node *trace_nodes_place(struct trace_nodes *nodes, uint64_t id);

// Makes it the record's.
void trace_nodes_put(struct trace_nodes *nodes, struct trace_node *node,
    const struct trace_memory *memory, const struct trace_record *record);

// NULL: not known (any more).
struct trace_node *trace_nodes_find(struct trace_nodes *nodes, uint64_t id);

// The node whose event this record is about; NULL: it is about something else.
struct trace_node *trace_nodes_of(struct trace_nodes *nodes, const struct trace_record *record);

// All of them, as long as `index` is below the returned count.
size_t trace_nodes_count(void);
struct trace_node *trace_nodes_at(struct trace_nodes *nodes, size_t index);

#endif
