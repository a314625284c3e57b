// SPDX-License-Identifier: MIT
//
// The streams that the recorder knows.

#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include "record.h"

// Which of them a name means. TRACE_STREAM_COUNT: one that is not recorded.
enum trace_stream trace_stream_of(const char *name);

#endif
