// SPDX-License-Identifier: MIT
//
// What tests of trace points share: the recorder, and looking for things in what it has noted.

#ifndef MEZ_TESTS_NOOP_TRACED_H
#define MEZ_TESTS_NOOP_TRACED_H

#include "../runtime/runtime.h"
#include "recorder.h"

// As runtime_setup, and what follows is recorded.
int traced_setup(void **state);
int traced_setup_in_order(void **state);
int traced_setup_linking(void **state);

const recorder *traced(void);
void forget(void);

// The first record from `from` on with this point, of any stream but that of the device; `name` NULL: any. NULL: there is none.
const record *find(const record *from, uint16_t point, const char *name);
// That a node's command has run. NULL: it has not.
const record *find_end(const record *node);
// As find, from the beginning, which must be there.
const record *must_find(uint16_t point, const char *name);

// Records with this point and name.
size_t count_of(uint16_t point, const char *name);

// Is there an edge between these nodes?
bool has_edge(const record *from, const record *to);

// Has the record this line ("key=value") in its metadata? An empty value: any.
bool has_metadata(const record *one, const char *key, const char *value);

// Of the dispatcher that is loaded.
void dispatcher_enable(bool enabled);
uint64_t dispatcher_get_universal_id(void);
void dispatcher_set_universal_id(uint64_t id);

#define TRACED_TEST(name) cmocka_unit_test_setup_teardown(name, traced_setup, runtime_teardown)

#endif
