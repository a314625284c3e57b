// SPDX-License-Identifier: MIT
//
// mez cache: shows or clears the cache of built binaries.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <mezzanine/cache.h>

#include "base/text.h"
#include "command.h"
#include "options.h"

static const char usage[] =
    "usage: mez cache [show|clear]\n"
    "\n"
    "Shows or clears the cache of built binaries, which all programs of a user share. \"show\"\n"
    "prints its folder, its size and how often it was used; \"clear\" removes its entries and\n"
    "resets the counts. MEZ_CACHE and MEZ_CACHE_LIMIT set its folder and its maximum size.\n";

static bool take_action(void *target, const char *text, struct problem *problem)
{
    const char **action = target;
    if (*action)
        return problem_set(problem, "unexpected argument \"%.80s\"", text);
    if (strcmp(text, "show") != 0 && strcmp(text, "clear") != 0)
        return problem_set(problem, "\"%.80s\" is neither show nor clear", text);
    *action = text;
    return true;
}

static const struct option options[] = {{0}};
static const struct command_line command_line = {options, take_action, NULL};

static void print_count(const char *label, uint64_t count)
{
    mez_print(stdout, "%-10s %" PRIu64 "\n", label, count);
}

static void print_stats(const mez_cache_statistics *statistics)
{
    if (statistics->off) {
        mez_print(stdout, "%-10s none: %s\n", "folder", statistics->off);
        return;
    }
    mez_print(stdout, "%-10s %s\n", "folder", statistics->folder);
    print_count("entries", statistics->entries);
    mez_print(stdout, "%-10s %" PRIu64 " of %" PRIu64 " bytes\n", "size", statistics->bytes,
        statistics->limit);
    print_count("hits", statistics->hits);
    print_count("misses", statistics->misses);
    print_count("stored", statistics->stored);
    print_count("evicted", statistics->evicted);
    print_count("damaged", statistics->damaged);
}

static mez_error show(mez_cache *cache)
{
    mez_cache_statistics statistics;
    const mez_error error = mez_cache_get_statistics(cache, &statistics);
    if (!mez_failed(error))
        print_stats(&statistics);
    return error;
}

static mez_error clear(mez_cache *cache)
{
    uint64_t removed = 0;
    const mez_error error = mez_cache_clear(cache, &removed);
    if (!mez_failed(error))
        mez_print(stdout, "%" PRIu64 " entries removed\n", removed);
    return error;
}

static int run(int count, char *const *arguments)
{
    const char *action = NULL;
    struct problem problem;
    mez_cache *cache;
    if (!command_line_read(&command_line, count, arguments, &action, &problem))
        return report_usage(&cache_command, &problem);
    mez_error error = mez_cache_open(NULL, &cache);
    if (!mez_failed(error))
        error = action && strcmp(action, "clear") == 0 ? clear(cache) : show(cache);
    mez_cache_close(&cache);
    return mez_failed(error) ? report_error(error) : EXIT_GOOD;
}

const struct command cache_command = {
    "cache", "shows or clears the cache of built binaries", usage, run};
