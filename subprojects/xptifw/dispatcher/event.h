// SPDX-License-Identifier: MIT
//
// Events and locations, for the end of all.

#ifndef XF_EVENT_H
#define XF_EVENT_H

// Releases every event and forgets every location. Nobody else may use any meanwhile.
void xf_events_clear(void);

#endif
