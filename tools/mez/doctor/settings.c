// SPDX-License-Identifier: MIT
//
// Mezzanine's own variables, and names that only look like one.

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/settings.h>

#include "base/text.h"
#include "doctor.h"

#define CHECK "settings"
#define PREFIX "MEZ_"
#define MOST_MISSPELT_PREFIX 1 // letters; MESA_LOG is two from one of ours, and another project's

// --- Values

// Reported by other checks, with what follows from them.
static const char *const reported_elsewhere[] = {
    "MEZ_CACHE", "MEZ_CACHE_LIMIT", "MEZ_DEVICE_CONFIG"};

static bool is_reported_elsewhere(const char *name)
{
    for (size_t i = 0; i < sizeof reported_elsewhere / sizeof *reported_elsewhere; i++)
        if (strcmp(name, reported_elsewhere[i]) == 0)
            return true;
    return false;
}

// Where something holds all the same, a program only misses what it asked for.
static bool is_understood(struct findings *findings, const mez_setting_info *setting)
{
    char line[1024];
    if (!mez_failed(setting->error) || is_reported_elsewhere(setting->name))
        return true;
    error_line(setting->error, "known", line, sizeof line);
    if (setting->effect)
        found_warn(findings, CHECK, "%s", line);
    else
        found_fail(findings, CHECK, "%s", line);
    found_advice(findings, "set a valid value, or unset the variable");
    return false;
}

static bool all_understood(struct findings *findings, const mez_settings *settings)
{
    bool good = true;
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++)
        good &= is_understood(findings, mez_settings_get_setting(settings, i));
    return good;
}

// --- Names

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Nothing but our tests reads them.
static bool is_of_tests(const char *name)
{
    static const char *const groups[] = {"TEST_", "STRESS_", "SOAK_", "ORACLE"}; // behind PREFIX
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (begins_with(name, PREFIX) && begins_with(name + strlen(PREFIX), groups[i]))
            return true;
    return false;
}

// In capitals, for mez_device is misspelt too. False: too long to be meant for one of ours.
static bool copy_name(const char *variable, char *name, size_t size)
{
    const size_t length = strcspn(variable, "=");
    if (length >= size)
        return false;
    for (size_t i = 0; i < length; i++)
        name[i] = (char)toupper((unsigned char)variable[i]);
    name[length] = '\0';
    return true;
}

static mez_spelling nearest_of(const char *name, const mez_settings *settings)
{
    mez_spelling spelling = mez_spelling_of(name, strlen(name));
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++)
        mez_spelling_offer(&spelling, mez_settings_get_setting(settings, i)->name);
    return spelling;
}

static bool is_known(const char *variable, const mez_spelling *spelling)
{
    return spelling->nearest && spelling->distance == 0 &&
           strncmp(variable, spelling->nearest, spelling->length) == 0;
}

// True: it is one of ours, or none of our business.
static bool look_at_name(
    struct findings *findings, const mez_settings *settings, const char *variable)
{
    char name[64];
    if (!copy_name(variable, name, sizeof name) || name[0] != PREFIX[0] || is_of_tests(variable))
        return true;
    const mez_spelling spelling = nearest_of(name, settings);
    const bool ours = begins_with(variable, PREFIX);
    if (is_known(variable, &spelling) || (!ours && spelling.distance > MOST_MISSPELT_PREFIX))
        return true;
    found_warn(
        findings, CHECK, "%.*s is set, but nothing reads it", (int)spelling.length, variable);
    if (spelling.nearest)
        found_advice(findings, "did you mean %s?", spelling.nearest);
    else
        found_advice(findings, "the variables that exist are listed below");
    return false;
}

void check_settings(struct doctor *doctor)
{
    struct findings *findings = &doctor->findings;
    mez_settings *settings;
    const mez_error error = mez_settings_create(&settings);
    mez_error_release(error);
    findings->incomplete |= mez_failed(error);
    bool good = all_understood(findings, settings);
    for (char **variable = environ; *variable; variable++)
        good &= look_at_name(findings, settings, *variable);
    if (good)
        found_pass(findings, CHECK, "all variables of Mezzanine are valid");
    mez_settings_destroy(&settings);
}

// --- All of them

void settings_print(FILE *stream, const mez_settings *settings)
{
    fputs("settings:\n", stream);
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++) {
        const mez_setting_info *setting = mez_settings_get_setting(settings, i);
        mez_print(stream, "  %-18s %s%s\n", setting->name,
            setting->value ? setting->value : "not set: ",
            setting->value ? "" : setting->otherwise);
    }
}

void settings_print_json(mez_json *json, const mez_settings *settings)
{
    mez_json_open(json, "settings", '[');
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++) {
        const mez_setting_info *setting = mez_settings_get_setting(settings, i);
        mez_json_open(json, NULL, '{');
        mez_json_string(json, "name", setting->name);
        if (setting->value)
            mez_json_string(json, "value", setting->value);
        mez_json_string(json, "default", setting->otherwise);
        mez_json_close(json, '}');
    }
    mez_json_close(json, ']');
}
