// SPDX-License-Identifier: MIT

#include "cache/settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/log.h"

#define NO_HOME "neither XDG_CACHE_HOME nor HOME names a folder"
#define NO_SUCH_HOME \
    "HOME names a folder that does not exist, and XDG_CACHE_HOME does not name a folder"

static mez_error set_folder(mez_cache_settings *settings, const char *base, const char *rest)
{
    mez_text path = {0};
    mez_text_add(&path, "%s%s", base, rest);
    const bool whole = path.length == strlen(base) + strlen(rest);
    settings->folder = whole ? mez_copy_string(mez_text_get(&path)) : NULL;
    mez_text_finish(&path);
    return settings->folder ? mez_ok() : mez_error_no_memory("the cache's folder");
}

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

// Users that run services often have a home that nobody made, as /nonexistent: no cache is meant, and nothing has to be said.
static mez_error use_home(mez_cache_settings *settings)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (is_absolute(cache))
        return set_folder(settings, cache, "/mezzanine");
    if (is_absolute(home) && is_folder(home))
        return set_folder(settings, home, "/.cache/mezzanine");
    settings->off = is_absolute(home) ? NO_SUCH_HOME : NO_HOME;
    mez_log(IMAGE, DEBUG, "built binaries are not cached: %s", settings->off);
    return mez_ok();
}

static mez_error use_environment(mez_cache_settings *settings)
{
    const char *chosen = mez_setting(MEZ_VARIABLE_CACHE);
    if (!chosen || strcmp(chosen, "on") == 0)
        return use_home(settings);
    if (is_absolute(chosen))
        return set_folder(settings, chosen, "");
    if (strcmp(chosen, "off") != 0)
        return mez_setting_refused(MEZ_VARIABLE_CACHE);
    settings->off = "MEZ_CACHE=off";
    return mez_ok();
}

// The factor of a size's suffix; 0: it is none.
static uint64_t factor_of(const char *suffix)
{
    static const char letters[] = "KMGT";
    if (!*suffix)
        return 1;
    const char *letter = strchr(letters, *suffix);
    return letter && !suffix[1] ? UINT64_C(1) << 10 * (letter - letters + 1) : 0;
}

static bool read_size(const char *text, uint64_t *size)
{
    uint64_t number = 0;
    const char *next = text;
    for (; *next >= '0' && *next <= '9'; next++) {
        const uint64_t digit = (uint64_t)(*next - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    const uint64_t factor = factor_of(next);
    if (next == text || number == 0 || factor == 0 || number > UINT64_MAX / factor)
        return false;
    *size = number * factor;
    return true;
}

static mez_error read_limit(uint64_t *limit)
{
    const char *text = mez_setting(MEZ_VARIABLE_CACHE_LIMIT);
    *limit = MEZ_CACHE_DEFAULT_LIMIT;
    if (!text || read_size(text, limit))
        return mez_ok();
    return mez_setting_refused(MEZ_VARIABLE_CACHE_LIMIT);
}

static mez_error read_folder(const char *folder, mez_cache_settings *settings)
{
    if (!folder)
        return use_environment(settings);
    if (!is_absolute(folder))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the folder of the cache, \"%s\", is not an absolute path", folder);
    return set_folder(settings, folder, "");
}

mez_error mez_cache_read_settings(const mez_cache_params *params, mez_cache_settings *settings)
{
    *settings = (mez_cache_settings){.limit = params->limit};
    if (settings->limit == 0)
        MEZ_TRY(read_limit(&settings->limit));
    return read_folder(params->folder, settings);
}
