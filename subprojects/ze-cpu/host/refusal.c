// SPDX-License-Identifier: MIT
//
// Why a call was refused. Refusing costs three stores; the text is made when somebody asks.
#include "refusal.h"

#include "check.h"
#include "loss.h"
#include "own.h"

#include <stdio.h>

static _Thread_local struct {
    const char *function, *condition;
    ze_result_t result;
    bool is_loss;
    unsigned loss; // its number
    char text[ZC_LOSS_TEXT];
} last;

__attribute__((cold, noinline)) ze_result_t zc_refuse(
    const char *function, const char *condition, ze_result_t result)
{
    last.function = function;
    last.condition = condition;
    last.result = result;
    last.is_loss = false;
    return result;
}

void zc_explain_loss(unsigned number)
{
    last.is_loss = true;
    last.loss = number;
}

ze_result_t zc_driver_get_last_error_description(ze_driver_handle_t driver, const char **text)
    ZC_ENTRY_POINT(zeDriverGetLastErrorDescription);
ze_result_t zc_get_last_error_description(const char **text)
    ZC_ENTRY_POINT(zerGetLastErrorDescription);

ze_result_t zc_driver_get_last_error_description(ze_driver_handle_t driver, const char **text)
{
    ZC_REQUIRE_HANDLE(driver);
    return zc_get_last_error_description(text);
}

ze_result_t zc_get_last_error_description(const char **text)
{
    ZC_REQUIRE_POINTER(text);
    last.text[0] = '\0';
    if (last.is_loss)
        zc_loss_get_story(last.loss, last.text);
    else if (last.function)
        snprintf(last.text, sizeof last.text,
            "%s returns 0x%x, because this condition does not hold: %s", last.function,
            (unsigned)last.result, last.condition);
    *text = last.text;
    return ZE_RESULT_SUCCESS;
}
