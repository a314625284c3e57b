// SPDX-License-Identifier: MIT
//
// Verdicts: the reasons that judging finds.

#include "check/judge.h"

#include <string.h>

#include "base/alloc.h"

// Takes both texts. False: one of them is missing for lack of memory.
static bool add(mez_verdict *verdict, const mez_reason *reason)
{
    if (!reason->text || !reason->has ||
        !mez_grow(&verdict->reasons, verdict->count, &verdict->capacity))
        return false;
    verdict->reasons[verdict->count++] = *reason;
    return true;
}

static void reason_finish(const mez_reason *reason)
{
    mez_free_memory(reason->text);
    mez_free_memory(reason->has);
}

mez_answer mez_judging_note(mez_judging *judging, const mez_requirement *requirement,
    mez_answer answer, mez_check_text which, const char *const *values, const char *has, ...)
{
    if (!judging->verdict)
        return answer;
    mez_text sentence = {0}, instead = {0};
    mez_check_add_text(&sentence, which, values);
    va_list arguments;
    va_start(arguments, has);
    mez_text_add_list(&instead, has, arguments);
    va_end(arguments);
    const mez_reason reason = {answer, requirement, sentence.string, instead.string};
    if (!add(judging->verdict, &reason)) {
        reason_finish(&reason);
        judging->no_memory = true;
    }
    return answer;
}

void mez_verdict_finish(mez_verdict *verdict)
{
    for (uint32_t i = 0; i < verdict->count; i++)
        reason_finish(&verdict->reasons[i]);
    mez_free_memory(verdict->reasons);
    *verdict = (mez_verdict){0};
}

// --- Sentences

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
