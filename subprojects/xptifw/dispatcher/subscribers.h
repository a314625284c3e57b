// SPDX-License-Identifier: MIT
//
// The tools: shared libraries that are notified of every stream.
//
// Thread-safety: the list changes in load and unload alone, which nothing may run beside.

#ifndef XF_SUBSCRIBERS_H
#define XF_SUBSCRIBERS_H

#include <stddef.h>
#include <stdint.h>

enum { XF_SUBSCRIBER_LIMIT = 64 };

// Loads what a list of paths and bare names names, divided by commas; NULL is an empty one. What can't be loaded, or lacks an entry
// point, is left out with a message on stderr.
void xf_subscribers_load(const char *list);
void xf_subscribers_unload(void);
size_t xf_subscribers_count(void);

void xf_subscribers_init(const char *stream, uint32_t major, uint32_t minor, const char *version);
void xf_subscribers_finish(const char *stream);
// The most that any of them wants of the stream: MEZ_XPTI_DETAIL_*.
uint8_t xf_subscribers_level(const char *stream);

#endif
