// SPDX-License-Identifier: MIT
//
// A trace point: one visit of a location. It is what C knows as an event with its payload and metadata, and what C++ knows as an
// object of four classes.

#ifndef XF_TRACEPOINT_H
#define XF_TRACEPOINT_H

#include <mezzanine/xpti.h>

#include "classes.h"
#include "strings.h"

typedef struct xf_tracepoint xf_tracepoint;

// What makes two visits visits of the same place.
typedef struct xf_place {
    const xf_entry *name;
    const xf_entry *file;
    uint32_t line;
    uint32_t column;
} xf_place;

// Kept for ever, once for each place.
typedef struct xf_location {
    xf_place place;
    atomic_uint_least64_t visits;
    _Atomic(xf_tracepoint *) registered; // stands for the location itself; NULL: not yet
} xf_location;

// What nobody else has touched is zero.
struct xf_tracepoint {
    xf_object as_tracepoint; // the first: the address of the whole is what C++ gets, and the id
    xf_object as_payload;
    xf_object as_event;
    xf_object as_metadata;
    mez_xpti_payload payload;
    mez_xpti_event event;
    xf_location *location;
    mez_xpti_map_node *next_item; // where C++ is in its walk through the metadata
    xf_tracepoint *next_free;
    atomic_bool live;
};

static inline uint64_t xf_id_of(const void *tracepoint)
{
    return (uint64_t)(uintptr_t)tracepoint;
}

#endif
