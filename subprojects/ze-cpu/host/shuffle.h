// SPDX-License-Identifier: MIT
//
// Out-of-order execution (ZE_CPU_OUT_OF_ORDER): a queue that makes use of every freedom which the
// specification gives it, so that a program that forgets a barrier is found out. The seed decides.
//
// Commands start in the order in which they were submitted, once the events they wait for are
// signalled. A command that has started may do its work, and signal, at any later time:
//   - a barrier without wait events starts when all that came before on the queue is complete;
//   - no command starts while a barrier is in flight, whichever kind of barrier;
//   - a fence signals when all that came before is complete, but holds nothing up;
//   - commands of an in-order list start when the one before in the list is complete.
// Borders between lists mean nothing.
#ifndef ZE_CPU_SHUFFLE_H
#define ZE_CPU_SHUFFLE_H

#include "queue.h"

// Executes what is submitted to the queue until it is to stop.
void zc_shuffle_serve(struct zc_queue *queue);

#endif
