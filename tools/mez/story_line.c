// SPDX-License-Identifier: MIT

#include "story_line.h"

#include <stdio.h>
#include <string.h>

#define BECAUSE "because: "
#define LIBRARY "mezzanine: "

static const char *last_reason(const char *story)
{
    const char *reason = NULL;
    for (const char *next = story; (next = strstr(next, BECAUSE)); next += strlen(BECAUSE))
        reason = next + strlen(BECAUSE);
    return reason;
}

void story_line(const char *story, char *line, size_t size)
{
    if (strncmp(story, LIBRARY, strlen(LIBRARY)) == 0)
        story += strlen(LIBRARY);
    const int headline = (int)strcspn(story, "\n");
    const char *reason = last_reason(story);
    if (reason)
        snprintf(line, size, "%.*s: %.*s", headline, story, (int)strcspn(reason, "\n"), reason);
    else
        snprintf(line, size, "%.*s", headline, story);
}
