// SPDX-License-Identifier: MIT
//
// What every test includes: cmocka and what it wants included before it, and the interface.

#ifndef XF_TESTS_TEST_H
#define XF_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <mezzanine/xpti.h>

// Each test starts with a dispatcher that nobody has used.
static inline int start_anew(void **state)
{
    (void)state;
    xptiReset();
    return 0;
}

// A visit of a place.
static inline mez_xpti_event *visit(const char *name, const char *file, uint32_t line)
{
    uint64_t instance;
    return xptiMakeEvent(NULL,
        &(mez_xpti_payload){.name = name,
            .file = file,
            .line = line,
            .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE},
        MEZ_XPTI_EVENT_GRAPH, MEZ_XPTI_ACTIVITY_ACTIVE, &instance);
}

// The value that the list has for the key; NO_OBJECT: it has none.
static inline mez_xpti_object value_of(const mez_xpti_event *event, const char *key)
{
    for (const mez_xpti_map_node *it = event->metadata.first; it; it = it->next)
        if (strcmp(xptiLookupString(it->key), key) == 0)
            return it->value;
    return MEZ_XPTI_NO_OBJECT;
}

#endif
