// SPDX-License-Identifier: MIT
//
// What a thread is doing.

#ifndef XF_THREAD_H
#define XF_THREAD_H

// Forgets it for the calling thread, and the defaults for all.
void xf_thread_clear(void);

#endif
