// SPDX-License-Identifier: MIT

#include "base/host_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
