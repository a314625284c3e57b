// SPDX-License-Identifier: MIT
//
// The list of subscribers, as the environment has it.

#ifndef XF_LIST_H
#define XF_LIST_H

#include <stddef.h>

// Takes the next item from `list`, divided by commas. NULL: there is none. Else its first byte, and how many it has; none are left out,
// except for empty ones.
const char *xf_list_next(const char **list, size_t *size);

#endif
