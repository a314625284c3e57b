// SPDX-License-Identifier: MIT
//
// Asking something in a process of its own, in which drivers may be loaded: which drivers a process loads is decided once, and a
// driver may crash, print, hang or end the process.
//
// Thread-safety: none; the process that asks has one thread.

#ifndef APART_H
#define APART_H

#include <stdbool.h>
#include <stddef.h>

struct apart {
    // Runs in the other process, which is a copy of this one. What it writes to `answer` comes back; addresses are invalid here.
    void (*work)(const void *question, void *answer);
    const void *question;
    void *answer; // `size` bytes; the work begins with zeros
    size_t size;
    const char *who;     // named in `end` as what crashed; NULL: "the driver"
    unsigned seconds;    // how long it may take; 0: no limit
    char *printed;       // takes the beginning of what it printed; NULL: that goes where ours goes
    size_t printed_size; // with the final zero
};

// False: there is no answer; `answer` is zero then, and `end`, of `end_size` bytes, says why: "the driver crashed: Aborted".
bool apart_ask(const struct apart *apart, char *end, size_t end_size);

#endif
