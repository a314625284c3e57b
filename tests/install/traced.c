// SPDX-License-Identifier: MIT
//
// A program, C and C++, that adds a stream of its own to what is traced.

#include <mezzanine/xpti_proxy.h>

#include <stdio.h>

int main(void)
{
    xptiFrameworkInitialize();
    const mez_xpti_result result = xptiInitialize("solver", 1, 0, "1.0");
    printf("traced: %s, stream %d\n", mez_xpti_on() && result == MEZ_XPTI_SUCCESS ? "yes" : "no",
        xptiRegisterStream("solver"));
    xptiFinalize("solver");
    xptiFrameworkFinalize();
    return 0;
}
