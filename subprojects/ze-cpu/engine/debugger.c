// SPDX-License-Identifier: MIT
//
// Is a debugger attached to the process? Asked when an assert fails, since it may come and go.

#include "runtime.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int zc_debugger_is_attached(void)
{
    static const char field[] = "\nTracerPid:";
    char status[2048]; // the field is near the beginning
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t length = read(file, status, sizeof(status) - 1);
    close(file);
    status[length > 0 ? length : 0] = '\0';
    const char *tracer = strstr(status, field);
    return tracer != NULL && atol(tracer + strlen(field)) != 0;
}
