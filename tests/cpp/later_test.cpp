// SPDX-License-Identifier: MIT
//
// Errors that show after the submission has returned, and functions that the library calls.

#include "noop.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace
{

using namespace std::chrono_literals;

constexpr int FEW = 3;

// Copies that wait behind a host task until the driver refuses them.
void let_copies_fail(mez::queue &queue)
{
    static char from[16], to[16];
    std::atomic<bool> closed{true};
    auto gate = [&] {
        while (closed)
            std::this_thread::sleep_for(100us);
    };
    mez::event opened;
    queue.host_task(gate, mez::task().signals(opened));
    for (int i = 0; i < FEW; i++)
        queue.copy(to, from, sizeof to);
    noop_fail_every("zeCommandListAppendBarrier", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    noop_fail_every("zeCommandListAppendMemoryCopy", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    closed = false;
    opened.wait();
}

void a_wait_throws_the_first_and_the_rest_can_be_asked_for(void **)
{
    const mez::context context = mez::context::create();
    mez::queue queue = mez::queue::create(context);
    let_copies_fail(queue);
    int errors = 0;
    try {
        queue.wait();
    } catch (const mez::device_error &failure) {
        assert_true(failure.code() == mez::errc::memory_allocation);
        errors++;
    }
    for (mez_error error; queue.take_error(error); errors++)
        assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
    assert_int_equal(errors, FEW);
}

void handlers_are_called(void **)
{
    std::atomic<int> reported{0}, others{0};
    auto hear = [&](mez_error error) {
        others += mez::make_error_code(error) == mez::errc::memory_allocation ? 0 : 1;
        reported++;
    };
    const mez::context context = mez::context::create();
    mez_queue_params params = {};
    params.on_error = mez::error_handler(hear);
    {
        mez::queue queue = mez::queue::create(context, params);
        let_copies_fail(queue);
        std::error_code code;
        queue.wait(code);
        assert_true(code == mez::errc::memory_allocation);
    } // returns after the last call
    assert_int_equal(reported.load(), FEW);
    assert_int_equal(others.load(), 0);
}

void events_call_back(void **)
{
    std::atomic<int> calls{0};
    auto call = [&](mez_error outcome) { calls += mez_failed(outcome) ? 100 : 1; };
    {
        scene s;
        mez::event done;
        s.queue.barrier(mez::task().signals(done));
        done.set_callback(call);
        done.wait();
    }
    assert_int_equal(calls.load(), 1);
    std::error_code code;
    mez::event().set_callback(call, code);
    assert_true(code == mez::errc::invalid_parameter);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        NOOP_TEST(a_wait_throws_the_first_and_the_rest_can_be_asked_for),
        NOOP_TEST(handlers_are_called),
        NOOP_TEST(events_call_back),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
