// SPDX-License-Identifier: MIT
//
// The cache of built binaries: nothing fails without it, and everything is compiled each time.

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/cache.h>

#include "doctor.h"

#define CHECK "cache"

static void report_folder(struct findings *findings, const mez_cache_statistics *statistics)
{
    if (access(statistics->folder, F_OK) == 0)
        found_pass(findings, CHECK, "%s: %" PRIu64 " entries, %" PRIu64 " of %" PRIu64 " bytes",
            statistics->folder, statistics->entries, statistics->bytes, statistics->limit);
    else
        found_pass(
            findings, CHECK, "%s is made when the first binary is stored", statistics->folder);
}

static void report_closed(struct findings *findings, mez_error error)
{
    char line[1024];
    error_line(error, NULL, line, sizeof line);
    found_warn(findings, CHECK, "%s", line);
    found_advice(findings,
        "until then programs compile everything each time; make it a folder that only "
        "you can write to (`chmod 700`), or set MEZ_CACHE to another folder");
}

static void report_off(struct findings *findings, const char *why)
{
    if (strncmp(why, "MEZ_CACHE", strlen("MEZ_CACHE")) == 0) {
        found_pass(findings, CHECK, "off: %s", why);
        return;
    }
    found_warn(findings, CHECK, "off: %s", why);
    found_advice(findings, "set HOME, or set MEZ_CACHE to a folder");
}

static void look_at_cache(struct findings *findings, mez_cache *cache)
{
    mez_cache_statistics statistics;
    const mez_error usable = mez_cache_check(cache);
    mez_error_release(mez_cache_get_statistics(cache, &statistics)); // the check says more
    if (statistics.off)
        report_off(findings, statistics.off);
    else if (mez_failed(usable))
        report_closed(findings, usable);
    else
        report_folder(findings, &statistics);
}

void check_cache(struct doctor *doctor)
{
    char line[1024];
    mez_cache *cache;
    const mez_error error = mez_cache_open(NULL, &cache);
    if (mez_failed(error)) {
        error_line(error, NULL, line, sizeof line);
        found_fail(&doctor->findings, CHECK, "%s", line);
        found_advice(&doctor->findings, "correct the variable or unset it");
        return;
    }
    look_at_cache(&doctor->findings, cache);
    mez_cache_close(&cache);
}
