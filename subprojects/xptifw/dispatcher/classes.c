// SPDX-License-Identifier: MIT
//
// The virtual functions. C++ passes the object's address as the first argument, and so each function here gets the part of a trace
// point that its class is. The order of the members is the interface.

#include "tracepoint.h"

// The trace point of which `object` is a part.
#define OF(object, part) ((xf_tracepoint *)(void *)((char *)(object)-offsetof(xf_tracepoint, part)))

// What stands before the functions of each class: how far an object is from the beginning of its whole, and its type, which only
// dynamic_cast and typeid would ask for.
#define CLASS_HEAD             \
    ptrdiff_t offset_to_whole; \
    const void *type_info

// Objects are the dispatcher's: a `delete` of one does nothing.
static void destroy(xf_object *it)
{
    (void)it;
}

// --- xpti_payload_t

static const char *payload_name(xf_object *it)
{
    return OF(it, as_payload)->payload.name;
}

static const char *payload_file(xf_object *it)
{
    return OF(it, as_payload)->payload.file;
}

static uint32_t payload_line(xf_object *it)
{
    return OF(it, as_payload)->payload.line;
}

static uint32_t payload_column(xf_object *it)
{
    return OF(it, as_payload)->payload.column;
}

static uint64_t payload_flags(xf_object *it)
{
    return OF(it, as_payload)->payload.flags;
}

static int32_t payload_name_string(xf_object *it)
{
    return (int32_t)xf_string_id(OF(it, as_payload)->location->place.name);
}

static int32_t payload_file_string(xf_object *it)
{
    return (int32_t)xf_string_id(OF(it, as_payload)->location->place.file);
}

static uint64_t payload_id(xf_object *it)
{
    return OF(it, as_payload)->payload.id;
}

static bool payload_is_valid(xf_object *it)
{
    return OF(it, as_payload)->payload.flags & (MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE);
}

static mez_xpti_payload *payload_data(xf_object *it)
{
    return &OF(it, as_payload)->payload;
}

static const struct {
    CLASS_HEAD;
    struct payload_functions {
        void (*destroy)(xf_object *);
        void (*destroy_and_free)(xf_object *);
        const char *(*name)(xf_object *);
        const char *(*file)(xf_object *);
        uint32_t (*line)(xf_object *);
        uint32_t (*column)(xf_object *);
        uint64_t (*flags)(xf_object *);
        int32_t (*name_string)(xf_object *);
        int32_t (*file_string)(xf_object *);
        uint64_t (*id)(xf_object *);
        bool (*is_valid)(xf_object *);
        mez_xpti_payload *(*data)(xf_object *);
    } functions;
} payload_class = {
    .functions =
        {
            .destroy = destroy,
            .destroy_and_free = destroy,
            .name = payload_name,
            .file = payload_file,
            .line = payload_line,
            .column = payload_column,
            .flags = payload_flags,
            .name_string = payload_name_string,
            .file_string = payload_file_string,
            .id = payload_id,
            .is_valid = payload_is_valid,
            .data = payload_data,
        },
};

// --- xpti_metadata_t

static mez_xpti_result item(const mez_xpti_map_node *node, char **key, mez_xpti_object *value)
{
    if (!node)
        return MEZ_XPTI_FALSE;
    *key = (char *)(uintptr_t)xptiLookupString(node->key); // the interface is older than const
    *value = node->value;
    return MEZ_XPTI_SUCCESS;
}

static mez_xpti_result metadata_first(xf_object *it, char **key, mez_xpti_object *value)
{
    xf_tracepoint *whole = OF(it, as_metadata);
    whole->next_item = whole->event.metadata.first;
    return item(whole->next_item, key, value);
}

static mez_xpti_result metadata_next(xf_object *it, char **key, mez_xpti_object *value)
{
    xf_tracepoint *whole = OF(it, as_metadata);
    if (whole->next_item)
        whole->next_item = whole->next_item->next;
    return item(whole->next_item, key, value);
}

static mez_xpti_result metadata_add(xf_object *it, const char *key, mez_xpti_object value)
{
    return xptiAddMetadata(&OF(it, as_metadata)->event, key, value);
}

static size_t metadata_count(xf_object *it)
{
    return OF(it, as_metadata)->event.metadata.count;
}

static const struct {
    CLASS_HEAD;
    struct metadata_functions {
        void (*destroy)(xf_object *);
        void (*destroy_and_free)(xf_object *);
        mez_xpti_result (*first)(xf_object *, char **, mez_xpti_object *);
        mez_xpti_result (*next)(xf_object *, char **, mez_xpti_object *);
        mez_xpti_result (*add)(xf_object *, const char *, mez_xpti_object);
        size_t (*count)(xf_object *);
    } functions;
} metadata_class = {
    .functions =
        {
            .destroy = destroy,
            .destroy_and_free = destroy,
            .first = metadata_first,
            .next = metadata_next,
            .add = metadata_add,
            .count = metadata_count,
        },
};

// --- xpti_trace_event_t

static xf_object *event_payload(xf_object *it)
{
    return &OF(it, as_event)->as_payload;
}

static xf_object *event_metadata(xf_object *it)
{
    return &OF(it, as_event)->as_metadata;
}

static uint64_t event_id(xf_object *it)
{
    return OF(it, as_event)->event.unique_id;
}

static uint64_t event_instance(xf_object *it)
{
    return OF(it, as_event)->event.instance_id;
}

static uint16_t event_type(xf_object *it)
{
    return OF(it, as_event)->event.event_type;
}

static uint16_t event_activity(xf_object *it)
{
    return OF(it, as_event)->event.activity_type;
}

static uint64_t event_source(xf_object *it)
{
    return OF(it, as_event)->event.source_id;
}

static uint64_t event_target(xf_object *it)
{
    return OF(it, as_event)->event.target_id;
}

static uint64_t event_flags(xf_object *it)
{
    return OF(it, as_event)->event.flags;
}

static void event_set_activity(xf_object *it, int activity)
{
    OF(it, as_event)->event.activity_type = (uint16_t)activity;
}

static void event_set_type(xf_object *it, uint16_t type)
{
    OF(it, as_event)->event.event_type = type;
}

static mez_xpti_payload *event_payload_data(xf_object *it)
{
    return &OF(it, as_event)->payload;
}

static mez_xpti_event *event_data(xf_object *it)
{
    return &OF(it, as_event)->event;
}

static const struct {
    CLASS_HEAD;
    struct event_functions {
        void (*destroy)(xf_object *);
        void (*destroy_and_free)(xf_object *);
        xf_object *(*payload)(xf_object *);
        xf_object *(*metadata)(xf_object *);
        uint64_t (*id)(xf_object *);
        uint64_t (*instance)(xf_object *);
        uint16_t (*type)(xf_object *);
        uint16_t (*activity)(xf_object *);
        uint64_t (*source)(xf_object *);
        uint64_t (*target)(xf_object *);
        uint64_t (*flags)(xf_object *);
        void (*set_activity)(xf_object *, int);
        void (*set_type)(xf_object *, uint16_t);
        mez_xpti_payload *(*payload_data)(xf_object *);
        mez_xpti_event *(*data)(xf_object *);
    } functions;
} event_class = {
    .functions =
        {
            .destroy = destroy,
            .destroy_and_free = destroy,
            .payload = event_payload,
            .metadata = event_metadata,
            .id = event_id,
            .instance = event_instance,
            .type = event_type,
            .activity = event_activity,
            .source = event_source,
            .target = event_target,
            .flags = event_flags,
            .set_activity = event_set_activity,
            .set_type = event_set_type,
            .payload_data = event_payload_data,
            .data = event_data,
        },
};

// --- xpti_tracepoint_t

static xf_object *whole_payload(xf_object *it)
{
    return &OF(it, as_tracepoint)->as_payload;
}

static xf_object *whole_metadata(xf_object *it)
{
    return &OF(it, as_tracepoint)->as_metadata;
}

static xf_object *whole_event(xf_object *it)
{
    return &OF(it, as_tracepoint)->as_event;
}

static uint64_t whole_id(xf_object *it)
{
    return OF(it, as_tracepoint)->event.unique_id;
}

static uint64_t whole_instance(xf_object *it)
{
    return OF(it, as_tracepoint)->event.instance_id;
}

static mez_xpti_event *whole_event_data(xf_object *it)
{
    return &OF(it, as_tracepoint)->event;
}

static mez_xpti_payload *whole_payload_data(xf_object *it)
{
    return &OF(it, as_tracepoint)->payload;
}

static const struct {
    CLASS_HEAD;
    struct tracepoint_functions {
        void (*destroy)(xf_object *);
        void (*destroy_and_free)(xf_object *);
        xf_object *(*payload)(xf_object *);
        xf_object *(*metadata)(xf_object *);
        xf_object *(*event)(xf_object *);
        uint64_t (*id)(xf_object *);
        uint64_t (*instance)(xf_object *);
        mez_xpti_event *(*event_data)(xf_object *);
        mez_xpti_payload *(*payload_data)(xf_object *);
    } functions;
} tracepoint_class = {
    .functions =
        {
            .destroy = destroy,
            .destroy_and_free = destroy,
            .payload = whole_payload,
            .metadata = whole_metadata,
            .event = whole_event,
            .id = whole_id,
            .instance = whole_instance,
            .event_data = whole_event_data,
            .payload_data = whole_payload_data,
        },
};

void xf_set_classes(xf_tracepoint *it)
{
    it->as_tracepoint.functions = &tracepoint_class.functions;
    it->as_payload.functions = &payload_class.functions;
    it->as_event.functions = &event_class.functions;
    it->as_metadata.functions = &metadata_class.functions;
}
