// SPDX-License-Identifier: MIT
//
// A subscriber for tests: it records its notifications, in order. The dispatcher loads it as XPTI_SUBSCRIBERS says; the test, which is not
// linked with it, finds it then.

#ifndef MEZ_TESTS_NOOP_RECORDER_H
#define MEZ_TESTS_NOOP_RECORDER_H

#include <mezzanine/trace.h>
#include <mezzanine/xpti.h>

typedef struct record {
    char stream[40];
    uint16_t point; // MEZ_XPTI_NODE_CREATE, ...
    char name[160]; // of the event, or of the function; "": none
    char file[160];
    uint32_t line;
    uint64_t id; // of the event; 0: none
    uint64_t instance;
    uint64_t source, target;
    uint64_t scope;           // the thread's universal id
    uint64_t queue_id;        // stashed; of nodes
    const void *native;       // of signals
    char text[512];           // user data of points where that is a text
    char metadata[2048];      // "key=value\n" each, texts and numbers only
    char arguments[160];      // names
    uint32_t argument_count;  //
    uint64_t first_argument;  //
    bool has_result;          //
    mez_trace_result result;  //
    mez_xpti_mem_alloc alloc; //
    mez_trace_execution execution;
} record;

typedef struct recorder {
    void (*clear)(void);
    size_t (*count)(void); // of what is kept: the first 4096 since the last clear
    const record *(*at)(size_t index);
    uint64_t (*reported)(void); // how much since the last clear
    size_t (*nodes)(void);      // different ids that nodes had since then
    void (*debug)(bool take);   // subscribes to the stream for debugging, and unsubscribes
} recorder;

#endif
