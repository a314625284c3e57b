// SPDX-License-Identifier: MIT

#include "plugin.hpp"

#include <mezzanine/log.h>
#include <mezzanine/ze_result.hpp>

namespace
{

std::error_code lost()
{
    return ZE_RESULT_ERROR_DEVICE_LOST;
}

bool is_lost(std::error_code code)
{
    return code == mez::errc::device_lost;
}

std::error_condition lost_condition()
{
    return mez::errc::device_lost;
}

void fail()
{
    mez::check(mez_log_set_levels("nonsense"));
}

bool catches(void (*failing)())
{
    try {
        failing();
    } catch (const mez::runtime_error &) {
        return true;
    } catch (...) {
        return false;
    }
    return false;
}

} // namespace

const plugin *mez_test_plugin()
{
    static const plugin functions = {lost, is_lost, lost_condition, fail, catches};
    return &functions;
}
