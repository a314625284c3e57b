// SPDX-License-Identifier: MIT

#include "check/texts.h"

#include <string.h>

static const char *const texts[] = {
#define TEXT(name, words) [MEZ_CHECK_TEXT_##name] = (words),
#include "check/texts.def"
#undef TEXT
};

void mez_check_add_text(mez_text *text, mez_check_text which, const char *const *values)
{
    const char *rest = texts[which];
    for (const char *gap; (gap = strchr(rest, '%')); rest = gap + 1)
        mez_text_add(text, "%.*s%s", (int)(gap - rest), rest, *values++);
    mez_text_add(text, "%s", rest);
}
