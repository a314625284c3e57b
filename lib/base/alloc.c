// SPDX-License-Identifier: MIT
//
// Allocating, failing on demand, and how much memory the host has.

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_uint_fast64_t allocations; // since the last mez_alloc_fail_at
static atomic_uint_fast64_t failing;     // number of the allocation that fails, 0: none

static bool injected_failure(void)
{
    const uint64_t number = atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) + 1;
    return number == atomic_load_explicit(&failing, memory_order_relaxed);
}

uint64_t mez_alloc_fail_at(uint64_t n)
{
    atomic_store(&failing, n);
    return atomic_exchange(&allocations, 0);
}

void *mez_alloc_array(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || injected_failure())
        return NULL;
    return calloc(count, size);
}

void *mez_realloc_array(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || injected_failure())
        return NULL;
    return realloc(memory, bytes ? bytes : 1);
}

char *mez_copy_string(const char *text)
{
    if (!text)
        return NULL;
    const size_t size = strlen(text) + 1;
    char *copy = mez_alloc_array(size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

void mez_free_memory(void *memory)
{
    free(memory);
}

// --- How much there is

#define LABEL "MemAvailable:"

bool mez_host_memory_parse(const char *text, uint64_t *bytes)
{
    const char *line = strstr(text, LABEL);
    if (!line)
        return false;
    const char *number = line + strlen(LABEL);
    char *end;
    errno = 0;
    const unsigned long long kilobytes = strtoull(number, &end, 10);
    if (end == number || strncmp(end, " kB", 3) != 0 || errno || kilobytes > UINT64_MAX / 1024)
        return false;
    *bytes = (uint64_t)kilobytes * 1024;
    return true;
}

// The line that is looked for is the third, so one read is enough.
bool mez_host_memory_available(uint64_t *bytes)
{
    char text[1024];
    ssize_t length;
    const int file = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    do
        length = read(file, text, sizeof text - 1);
    while (length < 0 && errno == EINTR);
    close(file);
    if (length < 0)
        return false;
    text[length] = '\0';
    return mez_host_memory_parse(text, bytes);
}
