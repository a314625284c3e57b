// SPDX-License-Identifier: MIT

#include "throwing.hpp"

#include <mezzanine/kernel.hpp>

bool a_failing_call_throws()
{
    try {
        mez::kernel().build();
    } catch (const mez::runtime_error &) {
        return true;
    }
    return false;
}

void build_nothing(mez::caller from)
{
    mez::kernel().build({}, from);
}
