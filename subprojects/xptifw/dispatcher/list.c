// SPDX-License-Identifier: MIT
//
// The list of subscribers.

#include "list.h"

#include <string.h>

const char *xf_list_next(const char **list, size_t *size)
{
    const char *item = *list + strspn(*list, ",");
    *size = strcspn(item, ",");
    *list = item + *size;
    return *size > 0 ? item : NULL;
}
