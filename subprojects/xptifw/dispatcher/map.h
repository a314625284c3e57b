// SPDX-License-Identifier: MIT
//
// Metadata: a std::unordered_map<uint32_t, int32_t> of libstdc++, made and changed by C. Subscribers in C++ iterate, find, insert and
// erase with the real class, so nodes and buckets are memory shared with C++.
//
// Thread-safety: none.

#ifndef XF_MAP_H
#define XF_MAP_H

#include <mezzanine/xpti_types.h>

void xf_map_init(mez_xpti_map *map);

// Frees what C++ or C has put in; the map is empty afterwards.
void xf_map_clear(mez_xpti_map *map);

// SUCCESS: is new; DUPLICATE: has replaced a value; FAIL: no memory, nothing is changed.
mez_xpti_result xf_map_set(mez_xpti_map *map, mez_xpti_string key, mez_xpti_object value);

#endif
