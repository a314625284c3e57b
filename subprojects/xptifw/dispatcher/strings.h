// SPDX-License-Identifier: MIT
//
// The table of strings, for those who want more than its number.
//
// Thread-safety: safe, except for the last.

#ifndef XF_STRINGS_H
#define XF_STRINGS_H

#include <mezzanine/xpti.h>

#include "table.h"

// The entry's data is the text with its closing 0. NULL: no memory.
xf_entry *xf_string_entry(const char *text);

static inline mez_xpti_string xf_string_id(const xf_entry *entry)
{
    return entry->number + 1;
}

void xf_strings_clear(void);

#endif
