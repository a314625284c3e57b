// SPDX-License-Identifier: MIT
//
// The completion thread of a context: sees the end of tasks that may have something to report even when the user waits for
// nothing, calls the functions of mez_event_set_callback and error handlers, and runs host tasks and what is deferred behind them.
// The first use starts it, so that programs without asserts, callbacks and host tasks have no thread.
//
// The thread looks at everything it watches, one after the other, and never waits for one alone: what has ended is reported at
// once, whatever else is still running. When a round brings nothing it sleeps, at most an eighth of the time since something
// last ended and never more than a millisecond.
//
// It knows no queues: whoever adds a watch says how to look, and whom to keep alive meanwhile.

#ifndef MEZ_COMPLETION_COMPLETION_H
#define MEZ_COMPLETION_COMPLETION_H

#include "event/event.h"

// What came of a turn of the completion thread.
typedef enum mez_turn {
    MEZ_TURN_IDLE, // nothing
    MEZ_TURN_MORE, // something, and it is not over
    MEZ_TURN_OVER,
} mez_turn;

// Something that the thread looks at until it is over.
typedef struct mez_watch {
    mez_turn (*look)(const struct mez_watch *watch); // a turn, without locks
    void *owner; // mostly a queue, referenced meanwhile by functions of `source`; NULL: nobody
    const mez_event_source *source;
    uint64_t task;
    mez_event *event; // referenced; NULL: none
    mez_event_function function;
    void (*call)(void *data);
    void *user;

    // --- The thread's own
    bool begun; // it has had a turn
    struct mez_watch *next;
} mez_watch;

// NULL: no memory.
struct mez_completion *mez_completion_create(void);

// Stops the thread and frees it. Nothing is watched any more. NULL is accepted. The thread itself may call this, with the last
// reference to an event.
void mez_completion_destroy(struct mez_completion *completion);

// Adds a watch like this one; the references are its own. False: no memory, or no thread. The owner's lock may be held.
bool mez_completion_add(struct mez_completion *completion, const mez_watch *wanted);

// Lets the newest watch of the same sort and owner see to a later task, so that a fast producer makes one and not many. Not one that
// has had a turn: what it waits for must not move on for ever. False: there is none.
bool mez_completion_extend(struct mez_completion *completion, const mez_watch *wanted);

// Calls the function once, for the owner. False: no memory, or no thread.
bool mez_completion_call(struct mez_completion *completion, const mez_event_source *source,
    void *owner, void (*function)(void *data), void *data);

// Waits until the condition is true. Who makes it true calls mez_completion_wake afterwards. MEZ_ERRC_TIMEOUT without a story;
// MEZ_ERRC_WRONG_STATE where the caller is the completion thread itself, which would wait for its own work.
mez_error mez_completion_wait(struct mez_completion *completion,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline);
void mez_completion_wake(struct mez_completion *completion);

// The same for long waits: it ends where the device is lost, and calls `warn`, without locks, once where nothing has come of it for
// platform->stall_after. Errors: also that of a lost device.
mez_error mez_completion_wait_patiently(mez_platform *platform,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline,
    void (*warn)(void *owner), void *owner);

// Something to wake the thread with, from anywhere and also when the context is gone. A reference for each use: one call of
// mez_waker_wake, which a driver may make as its host function, or mez_waker_unref.
struct mez_waker;
struct mez_waker *mez_completion_waker(struct mez_completion *completion);
void mez_waker_wake(void *waker);
void mez_waker_unref(struct mez_waker *waker);

// Is the caller a function that the thread calls for this owner?
bool mez_completion_serves(struct mez_completion *completion, const void *owner);

// Returns when nothing of the owner is watched any more, and no function for it is called, except the one that calls this. Its
// tasks are over, or its device is lost.
void mez_completion_forget(struct mez_completion *completion, const void *owner);

#endif
