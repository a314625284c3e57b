// SPDX-License-Identifier: MIT
//
// In builds with probes alone.

#include "trace/probe.h"

void mez_probe_failure(const char *function, mez_error error)
{
    if (mez_trace_is_news(error))
        MEZ_PROBE(error, function, mez_error_get_name(error), mez_error_get_message(error));
}
