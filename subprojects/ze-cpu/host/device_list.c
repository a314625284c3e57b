// SPDX-License-Identifier: MIT
//
// Reading ZE_CPU_DEVICES: a number of equal devices, or a list of personas.
#include "device_list.h"

#include "custom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "ZE_CPU_DEVICES"

// The variable's value; NULL where it is not set or empty.
static const char *get_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static const struct zc_persona *find_persona(
    const struct zc_device_list *list, const char *name, size_t length)
{
    const bool is_custom = length == sizeof ZC_CUSTOM_PERSONA - 1 &&
                           !memcmp(name, ZC_CUSTOM_PERSONA, sizeof ZC_CUSTOM_PERSONA - 1);
    return is_custom ? &list->custom : zc_persona_find(name, length);
}

static ze_result_t refuse(const char *value, const char *why)
{
    char names[128];
    fprintf(stderr,
        "ze-cpu: " VARIABLE "=%s%s; it may be a number from 1 to %d, or so many of these with "
        "commas between them: %s " ZC_CUSTOM_PERSONA "\n",
        value, why, ZC_MAX_DEVICES, zc_persona_names(names, sizeof names));
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

static ze_result_t refuse_part(const char *value, uint32_t index, const char *what)
{
    char why[64];
    snprintf(why, sizeof why, ": part %u %s", index + 1, what);
    return refuse(value, why);
}

// ---- devices that are equal ----

static ze_result_t refuse_persona(const char *name)
{
    char names[128];
    fprintf(stderr,
        "ze-cpu: ZE_CPU_PERSONA=%s is not known; it may be one of: %s " ZC_CUSTOM_PERSONA "\n",
        name, zc_persona_names(names, sizeof names));
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

static ze_result_t repeat_persona(struct zc_device_list *list, uint32_t count)
{
    const char *set = get_variable("ZE_CPU_PERSONA");
    const char *name = set ? set : ZC_DEFAULT_PERSONA;
    const struct zc_persona *persona = find_persona(list, name, strlen(name));
    if (!persona)
        return refuse_persona(name);
    while (list->count < count)
        list->personas[list->count++] = persona;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t read_count(struct zc_device_list *list, const char *value)
{
    const unsigned long count = strtoul(value, NULL, 10); // ULONG_MAX where it is larger
    if (count < 1 || count > ZC_MAX_DEVICES)
        return refuse(value, " is out of range");
    return repeat_persona(list, (uint32_t)count);
}

// ---- a persona for each ----

static ze_result_t add_part(
    struct zc_device_list *list, const char *value, const char *part, size_t length)
{
    const struct zc_persona *persona = find_persona(list, part, length);
    if (!length)
        return refuse_part(value, list->count, "is empty");
    if (!persona)
        return refuse_part(value, list->count, "is not a persona");
    if (list->count == ZC_MAX_DEVICES)
        return refuse_part(value, list->count, "is one too many");
    list->personas[list->count++] = persona;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t refuse_both(const char *value, const char *persona)
{
    fprintf(stderr,
        "ze-cpu: ZE_CPU_PERSONA=%s is not possible with " VARIABLE
        "=%s, which names the persona of each device\n",
        persona, value);
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

// A comma at the end has an empty part behind it.
static ze_result_t read_list(struct zc_device_list *list, const char *value)
{
    const char *persona = get_variable("ZE_CPU_PERSONA");
    if (persona)
        return refuse_both(value, persona);
    for (const char *part = value;; part++) {
        const size_t length = strcspn(part, ",");
        const ze_result_t result = add_part(list, value, part, length);
        part += length;
        if (result || !*part)
            return result;
    }
}

static ze_result_t read_devices(struct zc_device_list *list)
{
    const char *value = get_variable(VARIABLE);
    if (!value)
        return repeat_persona(list, 1);
    const bool is_number = strspn(value, "0123456789") == strlen(value);
    return is_number ? read_count(list, value) : read_list(list, value);
}

static bool has_custom(const struct zc_device_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->personas[i] == &list->custom)
            return true;
    return false;
}

ze_result_t zc_device_list_read(struct zc_device_list *list)
{
    *list = (struct zc_device_list){.count = 0};
    const ze_result_t result = read_devices(list);
    if (result)
        return result;
    return has_custom(list) ? zc_custom_persona_read(&list->custom) : zc_custom_persona_refuse();
}
