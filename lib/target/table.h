// SPDX-License-Identifier: MIT
//
// How a table of targets is kept, and filled. target.h is how it is asked.

#ifndef MEZ_TARGET_TABLE_H
#define MEZ_TARGET_TABLE_H

#include "base/vector.h"
#include "target/target.h"

// Most targets of a table.
#define MEZ_MOST_TARGETS 1024

struct mez_targets {
    MEZ_VECTOR(mez_target) list;
    MEZ_VECTOR(char *) strings; // what the items point to
};

mez_error mez_targets_create(mez_targets **targets);

// A new last target of that name, else empty; it may move when the next is added.
// MEZ_ERRC_INVALID_PARAMETER: there are MEZ_MOST_TARGETS. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_targets_add(mez_targets *targets, const char *name, mez_target **target);

// The target that has exactly this name; NULL: none.
mez_target *mez_targets_named(const mez_targets *targets, const char *name);

// A copy of `text` that lives as long as the table. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_targets_keep(mez_targets *targets, const char *text, const char **kept);

// Are they the same name if `-` and `_` are the same?
bool mez_same_name(const char *a, const char *b);

// The table that is built in, of the process; not to be destroyed. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_targets_builtin(const mez_targets **targets);

// Adds what a file in the published format can't say, or has left out, from the built-in target of the same name: aliases, ip
// versions, PCI ids, and how one compiles for it.
void mez_targets_complete(mez_targets *targets, const mez_targets *builtin);

#endif
