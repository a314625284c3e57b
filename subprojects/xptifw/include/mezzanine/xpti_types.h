// SPDX-License-Identifier: MIT
//
// The types of XPTI, the interface through which the runtimes of oneAPI notify tools of what they do, in plain C. Intel declares them
// in C++; programs on both sides of the interface are compiled, so every size and offset here is part of it and is asserted.
// It is XPTI 1.1 for x86-64 with libstdc++; events, payloads and callbacks are the same since 2021.
//
// Don't include this beside Intel's own headers, which declare the same functions with C++ types.
//
// Who owns what: whatever the dispatcher hands out (events, payloads, strings, objects) stays the dispatcher's.

#ifndef MEZZANINE_XPTI_TYPES_H
#define MEZZANINE_XPTI_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// C99 has no static assertion: there, a declaration that only compiles when the condition holds.
#if defined(__cplusplus)
#define MEZ_XPTI_ASSERT(condition) static_assert(condition, #condition)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define MEZ_XPTI_ASSERT(condition) _Static_assert(condition, #condition)
#else
#define MEZ_XPTI_ASSERT(condition) extern char mez_xpti_holds[(condition) ? 1 : -1]
#endif
#define MEZ_XPTI_SIZE(type, size) MEZ_XPTI_ASSERT(sizeof(type) == (size))
#define MEZ_XPTI_AT(type, field, offset) MEZ_XPTI_ASSERT(offsetof(type, field) == (offset))

#ifdef __cplusplus
extern "C" {
#endif

// --- Results

typedef int32_t mez_xpti_result;

enum {
    MEZ_XPTI_SUCCESS = 0,
    MEZ_XPTI_FALSE = 1,                            // not done, as tracing is off
    MEZ_XPTI_FAIL = INT32_MIN + 0x4001,            // no dispatcher, no room, no memory
    MEZ_XPTI_NOT_IMPLEMENTED = INT32_MIN + 0x4002, // this dispatcher is older than the function
    MEZ_XPTI_DUPLICATE = INT32_MIN + 0x4003,       // was there already
    MEZ_XPTI_NOT_FOUND = INT32_MIN + 0x4004,
    MEZ_XPTI_UNDELETE = INT32_MIN + 0x4005, // a callback that was unregistered is in use again
    MEZ_XPTI_INVALID_ARGUMENT = INT32_MIN + 0x4006,
};

// --- Names of things. Each kind has one value that names nothing.

typedef uint32_t mez_xpti_string; // of the table of strings; counts from 1
typedef int32_t mez_xpti_object;  // of the table of objects; counts from 0
typedef uint8_t mez_xpti_stream;  // counts from 1; nobody can subscribe to 0

#define MEZ_XPTI_NO_STRING UINT32_MAX
#define MEZ_XPTI_NO_OBJECT INT32_MAX
#define MEZ_XPTI_NO_STREAM UINT8_MAX

// What the bytes of an object are.
enum {
    MEZ_XPTI_BINARY = 0,
    MEZ_XPTI_STRING = 1,
    MEZ_XPTI_SIGNED = 2,
    MEZ_XPTI_UNSIGNED = 3,
    MEZ_XPTI_FLOATING = 4,
    MEZ_XPTI_BOOLEAN = 5,
};

typedef struct mez_xpti_object_data {
    size_t size;      // in bytes; 0 with `data` NULL: there is no such object
    const char *data; // aligned for any type; a string has its closing 0 behind `size`
    uint8_t type;     // MEZ_XPTI_BINARY, ...
} mez_xpti_object_data;

MEZ_XPTI_SIZE(mez_xpti_object_data, 24);
MEZ_XPTI_AT(mez_xpti_object_data, size, 0);
MEZ_XPTI_AT(mez_xpti_object_data, data, 8);
MEZ_XPTI_AT(mez_xpti_object_data, type, 16);

// --- Payload: where in the source something happens

enum {
    MEZ_XPTI_HAS_NAME = 1,
    MEZ_XPTI_HAS_FILE = 2,
    MEZ_XPTI_HAS_CODE = 4,
    MEZ_XPTI_HAS_LINE = 8,
    MEZ_XPTI_HAS_COLUMN = 16,
    MEZ_XPTI_HAS_STACK = 32,
    MEZ_XPTI_IS_REGISTERED = 1 << 15, // set by the dispatcher
    MEZ_XPTI_HAS_HASH = 1 << 17,      // set by the dispatcher
};

// Set by the dispatcher; the three hold what makes two locations the same.
typedef struct mez_xpti_uid {
    uint64_t p1; // string of the file << 32 | line
    uint64_t p2; // string of the name
    uint64_t p3;
} mez_xpti_uid;

// Yours when you pass one: the dispatcher copies it and its strings. Only what `flags` names is read; it needs a name or a file.
typedef struct mez_xpti_payload {
    const char *name; // of the function, kernel or command
    const char *stack_trace;
    const char *file;
    uint32_t line;
    uint32_t column;
    const void *code;
    uint64_t id; // of the event, set by the dispatcher
    uint64_t flags;
    mez_xpti_uid uid;
} mez_xpti_payload;

MEZ_XPTI_SIZE(mez_xpti_uid, 24);
MEZ_XPTI_AT(mez_xpti_uid, p1, 0);
MEZ_XPTI_AT(mez_xpti_uid, p2, 8);
MEZ_XPTI_AT(mez_xpti_uid, p3, 16);
MEZ_XPTI_SIZE(mez_xpti_payload, 80);
MEZ_XPTI_AT(mez_xpti_payload, name, 0);
MEZ_XPTI_AT(mez_xpti_payload, stack_trace, 8);
MEZ_XPTI_AT(mez_xpti_payload, file, 16);
MEZ_XPTI_AT(mez_xpti_payload, line, 24);
MEZ_XPTI_AT(mez_xpti_payload, column, 28);
MEZ_XPTI_AT(mez_xpti_payload, code, 32);
MEZ_XPTI_AT(mez_xpti_payload, id, 40);
MEZ_XPTI_AT(mez_xpti_payload, flags, 48);
MEZ_XPTI_AT(mez_xpti_payload, uid, 56);

// --- Metadata: what an event has to say of itself, a value for each key

// To C++ this is std::unordered_map<uint32_t, int32_t> as libstdc++ lays it out, and subscribers use it as that. In C walk the
// list from `first`. Keys are strings of the table, values are objects. Nothing of it is yours to free or keep: it goes with the
// event.
typedef struct mez_xpti_map_node {
    struct mez_xpti_map_node *next;
    mez_xpti_string key;
    mez_xpti_object value;
} mez_xpti_map_node;

typedef struct mez_xpti_map {
    mez_xpti_map_node *
        *buckets;        // each: the node before its first one; the list's head counts as a node
    size_t bucket_count; // a key's bucket is key % bucket_count
    mez_xpti_map_node *first;
    size_t count;
    float max_load;
    size_t next_resize;
    mez_xpti_map_node *single_bucket; // `buckets` of an empty map
} mez_xpti_map;

MEZ_XPTI_SIZE(mez_xpti_map_node, 16);
MEZ_XPTI_AT(mez_xpti_map_node, next, 0);
MEZ_XPTI_AT(mez_xpti_map_node, key, 8);
MEZ_XPTI_AT(mez_xpti_map_node, value, 12);
MEZ_XPTI_SIZE(mez_xpti_map, 56);
MEZ_XPTI_AT(mez_xpti_map, buckets, 0);
MEZ_XPTI_AT(mez_xpti_map, bucket_count, 8);
MEZ_XPTI_AT(mez_xpti_map, first, 16);
MEZ_XPTI_AT(mez_xpti_map, count, 24);
MEZ_XPTI_AT(mez_xpti_map, max_load, 32);
MEZ_XPTI_AT(mez_xpti_map, next_resize, 40);
MEZ_XPTI_AT(mez_xpti_map, single_bucket, 48);

// --- Events

enum {
    MEZ_XPTI_EVENT_HAS_ID = 1,
    MEZ_XPTI_EVENT_HAS_SOURCE = 2,
    MEZ_XPTI_EVENT_HAS_TARGET = 4,
    MEZ_XPTI_EVENT_HAS_TYPE = 8,
    MEZ_XPTI_EVENT_HAS_ACTIVITY = 16,
    MEZ_XPTI_EVENT_HAS_PAYLOAD = 32,
};

// Types of events. User-defined ones have the bit 0x80.
enum {
    MEZ_XPTI_EVENT_UNKNOWN = 0,
    MEZ_XPTI_EVENT_GRAPH = 1,
    MEZ_XPTI_EVENT_ALGORITHM = 2,
    MEZ_XPTI_EVENT_BARRIER = 3,
    MEZ_XPTI_EVENT_SCHEDULER = 4,
    MEZ_XPTI_EVENT_ASYNC = 5,
    MEZ_XPTI_EVENT_LOCK = 6,
    MEZ_XPTI_EVENT_OFFLOAD_READ = 7,
    MEZ_XPTI_EVENT_OFFLOAD_WRITE = 8,
    MEZ_XPTI_EVENT_OFFLOAD_MEMORY_OBJECT = 9,
    MEZ_XPTI_EVENT_OFFLOAD_ACCESSOR = 10,
    MEZ_XPTI_EVENT_USER_DEFINED = 0x80,
};

enum {
    MEZ_XPTI_ACTIVITY_UNKNOWN = 0,
    MEZ_XPTI_ACTIVITY_ACTIVE = 1,
    MEZ_XPTI_ACTIVITY_OVERHEAD = 2,
    MEZ_XPTI_ACTIVITY_BACKGROUND = 4,
    MEZ_XPTI_ACTIVITY_SLEEP = 8,
};

// One visit of a location. Made by xptiMakeEvent, gone with xptiReleaseEvent. Its maker may set the types, source_id, target_id
// (with their flags) and global_user_data; the rest is the dispatcher's.
typedef struct mez_xpti_event {
    uint64_t unique_id; // of the event while it lives; later ones may get the same
    uint64_t data_id;
    uint64_t instance_id; // which visit of its location it is, from 1 on
    uint16_t event_type;
    uint16_t activity_type;
    uint32_t unused;
    uint64_t source_id; // of an edge: unique_id of what comes first
    uint64_t target_id; // of an edge: unique_id of what waits for it
    mez_xpti_payload *payload;
    mez_xpti_map metadata;
    void *global_user_data;
    uint64_t flags;
} mez_xpti_event;

MEZ_XPTI_SIZE(mez_xpti_event, 128);
MEZ_XPTI_AT(mez_xpti_event, unique_id, 0);
MEZ_XPTI_AT(mez_xpti_event, data_id, 8);
MEZ_XPTI_AT(mez_xpti_event, instance_id, 16);
MEZ_XPTI_AT(mez_xpti_event, event_type, 24);
MEZ_XPTI_AT(mez_xpti_event, activity_type, 26);
MEZ_XPTI_AT(mez_xpti_event, unused, 28);
MEZ_XPTI_AT(mez_xpti_event, source_id, 32);
MEZ_XPTI_AT(mez_xpti_event, target_id, 40);
MEZ_XPTI_AT(mez_xpti_event, payload, 48);
MEZ_XPTI_AT(mez_xpti_event, metadata, 56);
MEZ_XPTI_AT(mez_xpti_event, global_user_data, 112);
MEZ_XPTI_AT(mez_xpti_event, flags, 120);

// --- Trace points: what happens. The last bit distinguishes an end from a beginning where a type has both.

enum {
    MEZ_XPTI_GRAPH_CREATE = 2,
    MEZ_XPTI_NODE_CREATE = 4,
    MEZ_XPTI_EDGE_CREATE = 6,
    MEZ_XPTI_REGION_BEGIN = 8,
    MEZ_XPTI_REGION_END = 9,
    MEZ_XPTI_TASK_BEGIN = 10,
    MEZ_XPTI_TASK_END = 11,
    MEZ_XPTI_BARRIER_BEGIN = 12,
    MEZ_XPTI_BARRIER_END = 13,
    MEZ_XPTI_LOCK_BEGIN = 14,
    MEZ_XPTI_LOCK_END = 15,
    MEZ_XPTI_SIGNAL = 16,
    MEZ_XPTI_TRANSFER_BEGIN = 18,
    MEZ_XPTI_TRANSFER_END = 19,
    MEZ_XPTI_THREAD_BEGIN = 20,
    MEZ_XPTI_THREAD_END = 21,
    MEZ_XPTI_WAIT_BEGIN = 22,
    MEZ_XPTI_WAIT_END = 23,
    MEZ_XPTI_FUNCTION_BEGIN = 24, // user_data: the name, const char *
    MEZ_XPTI_FUNCTION_END = 25,
    MEZ_XPTI_METADATA = 26,
    MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN = 28, // user_data: mez_xpti_function
    MEZ_XPTI_FUNCTION_WITH_ARGS_END = 29,
    MEZ_XPTI_MEM_ALLOC_BEGIN = 32, // these four: mez_xpti_mem_alloc
    MEZ_XPTI_MEM_ALLOC_END = 33,
    MEZ_XPTI_MEM_RELEASE_BEGIN = 34,
    MEZ_XPTI_MEM_RELEASE_END = 35,
    MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_CONSTRUCT = 36,
    MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_DESTRUCT = 37,
    MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_ASSOCIATE = 38,
    MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_RELEASE = 39,
    MEZ_XPTI_OFFLOAD_ACCESSOR = 40,
    MEZ_XPTI_QUEUE_CREATE = 42,
    MEZ_XPTI_QUEUE_DESTROY = 43,
    MEZ_XPTI_DIAGNOSTICS = 126, // user_data: the message, const char *
};

// User-defined types of trace points and events: tool << 8 | 0x80 | what the tool chose.
#define MEZ_XPTI_TOOL(type) ((uint8_t)((type) >> 8))
#define MEZ_XPTI_USER_TYPE(type) ((uint8_t)((type)&0x7f))

// How much a stream should say. A subscriber that isn't asked wants NORMAL.
enum {
    MEZ_XPTI_DETAIL_NONE = 0,
    MEZ_XPTI_DETAIL_BASIC = 1,
    MEZ_XPTI_DETAIL_NORMAL = 2,
    MEZ_XPTI_DETAIL_VERBOSE = 3,
};

// What a subscriber registers. Called in the thread of the trace point, while the program waits: be quick. It may call every
// function of the dispatcher, xptiUnregisterCallback for itself included. `instance` is equal in a beginning and its end;
// `user_data` depends on the trace point, and is gone after the call.
typedef void (*mez_xpti_callback)(uint16_t trace_type, mez_xpti_event *parent,
    mez_xpti_event *event, uint64_t instance, const void *user_data);

#ifdef __cplusplus
}
#endif

#endif
