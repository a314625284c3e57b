// SPDX-License-Identifier: MIT
//
// Streams: who listens to what, and how much is wanted of each.
//
// Thread-safety: safe, except for xf_streams_clear.

#ifndef XF_STREAM_H
#define XF_STREAM_H

#include <mezzanine/xpti.h>

// 0 is not used, 255 is MEZ_XPTI_NO_STREAM.
enum { XF_STREAM_LIMIT = 254 };

// NO_STREAM: no name, or there are XF_STREAM_LIMIT.
mez_xpti_stream xf_stream_number(const char *name);
// NULL: there is none.
const char *xf_stream_name(mez_xpti_stream stream);

void xf_stream_set_level(mez_xpti_stream stream, uint8_t level);
uint8_t xf_stream_level(mez_xpti_stream stream);

// Unregisters all callbacks. Returns how many there were.
unsigned xf_stream_silence(mez_xpti_stream stream);

void xf_streams_clear(void);

#endif
