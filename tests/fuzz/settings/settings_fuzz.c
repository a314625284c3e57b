// SPDX-License-Identifier: MIT
//
// Fuzz target of what the environment says: every variable of the library has the text, except for the one that names a file to be read.
// A value is either what holds, or refused with words that name the variable. The kernel's report of free memory is read besides.
// Built with -fsanitize=fuzzer this is a libFuzzer target; built plainly it takes each line of the files it is given.

#include <mezzanine/settings.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition, const char *what, const mez_setting_info *setting)
{
    if (condition)
        return;
    fprintf(stderr, "%s=%s: %s\n", setting->name, setting->value ? setting->value : "", what);
    abort();
}

static bool is_same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static void check_refusal(const mez_setting_info *setting)
{
    static char story[1 << 16];
    mez_error_get_story(setting->error, story, sizeof story);
    require(strstr(story, setting->name) != NULL, "the story does not name it", setting);
    require(
        !setting->effect || setting->effect == setting->otherwise, "holds all the same", setting);
}

static void check_setting(const mez_setting_info *setting)
{
    if (mez_failed(setting->error))
        check_refusal(setting);
    else
        require(is_same(setting->effect, setting->value ? setting->value : setting->otherwise),
            "does not hold", setting);
}

static bool names_file_to_read(const mez_setting_info *setting)
{
    return strcmp(setting->name, "MEZ_DEVICE_CONFIG") == 0;
}

// The values as they are now; NULL: no memory.
static mez_settings *read_all(void)
{
    mez_settings *settings = NULL;
    const mez_error error = mez_settings_create(&settings);
    if (mez_failed(error))
        mez_error_release(error);
    return settings;
}

static void set_all(const char *text)
{
    mez_settings *settings = read_all();
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++) {
        const mez_setting_info *setting = mez_settings_get_setting(settings, i);
        if (!names_file_to_read(setting))
            setenv(setting->name, text, 1);
    }
    mez_settings_destroy(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t available;
    char *text = strndup((const char *)bytes, size);
    if (!text)
        return 0;
    mez_host_memory_parse(text, &available);
    set_all(text);
    mez_settings *settings = read_all();
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++)
        check_setting(mez_settings_get_setting(settings, i));
    mez_settings_destroy(&settings);
    free(text);
    return 0;
}

#ifdef MEZ_FUZZ_REPLAY
static bool replay(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    for (ssize_t length; (length = getline(&line, &room, file)) >= 0;)
        LLVMFuzzerTestOneInput((const uint8_t *)line, strcspn(line, "\n"));
    free(line);
    fclose(file);
    return true;
}

int main(int count, char **files)
{
    bool good = count > 1;
    for (int i = 1; i < count; i++)
        good &= replay(files[i]);
    return good ? 0 : 1;
}
#endif
