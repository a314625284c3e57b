// SPDX-License-Identifier: MIT
//
// Strings, objects, and the names of those who have types of their own.

#include "strings.h"

#include <string.h>

// Subscribers of old compare and hash strings as signed numbers, so none may look negative.
static xf_table strings = XF_TABLE(1, INT32_MAX - 1);
static xf_table objects = XF_TABLE(1, INT32_MAX - 1);
static xf_table tools = XF_TABLE(1, UINT8_MAX);

xf_entry *xf_string_entry(const char *text)
{
    return xf_table_intern(&strings, text, strlen(text), 0);
}

void xf_strings_clear(void)
{
    xf_table_clear(&strings);
    xf_table_clear(&objects);
    xf_table_clear(&tools);
}

mez_xpti_string xptiRegisterString(const char *text, char **kept)
{
    if (kept)
        *kept = NULL;
    if (!text || !*text || !kept)
        return MEZ_XPTI_NO_STRING;
    xf_entry *entry = xf_string_entry(text);
    if (!entry)
        return MEZ_XPTI_NO_STRING;
    *kept = entry->data;
    return xf_string_id(entry);
}

const char *xptiLookupString(mez_xpti_string string)
{
    const xf_entry *entry = string > 0 ? xf_table_at(&strings, string - 1) : NULL;
    return entry ? entry->data : NULL;
}

mez_xpti_object xptiRegisterObject(const char *data, size_t size, uint8_t type)
{
    const xf_entry *entry = data ? xf_table_intern(&objects, data, size, type) : NULL;
    return entry ? (mez_xpti_object)entry->number : MEZ_XPTI_NO_OBJECT;
}

mez_xpti_object_data xptiLookupObject(mez_xpti_object object)
{
    const xf_entry *entry = object >= 0 ? xf_table_at(&objects, (uint32_t)object) : NULL;
    if (!entry)
        return (mez_xpti_object_data){.size = 0};
    return (mez_xpti_object_data){.size = entry->size, .data = entry->data, .type = entry->type};
}

// Tools count from 1, so that none of their types is one of the common ones. 0: no name, or there are 255 already.
static uint16_t user_type(const char *tool, uint8_t type)
{
    const xf_entry *entry = tool && *tool ? xf_table_intern(&tools, tool, strlen(tool), 0) : NULL;
    if (!entry)
        return 0;
    return (uint16_t)((entry->number + 1) << 8 | MEZ_XPTI_EVENT_USER_DEFINED |
                      MEZ_XPTI_USER_TYPE(type));
}

uint16_t xptiRegisterUserDefinedTracePoint(const char *tool, uint8_t type)
{
    return user_type(tool, type);
}

uint16_t xptiRegisterUserDefinedEventType(const char *tool, uint8_t type)
{
    return user_type(tool, type);
}
