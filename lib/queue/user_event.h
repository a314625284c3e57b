// SPDX-License-Identifier: MIT
//
// Events that the program signals. Such an event is held from the start, as that of a host task which has not run: tasks that wait
// for it stay in the runtime, so that no command list ever waits for the host.

#ifndef MEZ_QUEUE_USER_EVENT_H
#define MEZ_QUEUE_USER_EVENT_H

#include "base/text.h"
#include "device/platform.h"

// Adds a line for each of the context's that nobody has signalled.
void mez_user_events_describe(const mez_platform *platform, mez_text *text);

#endif
