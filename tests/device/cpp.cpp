// SPDX-License-Identifier: MIT
//
// Every operation by its C++ name, on a real device: results show that each parameter has reached its place.

#include <mezzanine/mezzanine.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "harness.h"
}

// Beside Intel's compiler LeakSanitizer's own look at a program in C++ often crashes; leaks show on ze-cpu. Read by that alone.
extern "C" MEZ_API int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    const char *const device = std::getenv("MEZ_TEST_DEVICE");
    return device && std::strncmp(device, "capture", 7) == 0;
}

namespace
{

constexpr std::size_t WIDTH = 256;

// Its own objects, beside those of the harness, for the device that the harness has chosen.
struct scene {
    mez::context context = mez::context::create();
    mez::queue queue = mez::queue::create(context);
    mez::kernel step = mez::kernel::load(context, mez_test_kernel_path("order"), "step_once");
    mez::memory<uint32_t> a = zeros();
    mez::memory<uint32_t> b = zeros();

    mez::memory<uint32_t> zeros() const
    {
        auto memory = mez::alloc_shared<uint32_t>(context, WIDTH);
        for (std::size_t i = 0; i < WIDTH; i++)
            memory[i] = 0;
        return memory;
    }
};

void expect_all(const mez::memory<uint32_t> &memory, uint32_t expected, std::size_t from = 0,
    std::size_t to = WIDTH)
{
    if (!mez_test_has("results"))
        return;
    for (std::size_t i = from; i < to; i++)
        assert_int_equal(memory[i], expected);
}

void kernels_run(void **)
{
    scene s;
    s.queue.submit(s.step, mez::range(WIDTH), mez::args(s.a, 5u));
    s.queue.submit(s.step, mez::nd_range({WIDTH}, {16}), mez::args(s.a.get(), 2u));
    s.queue.wait();
    expect_all(s.a, 17);
}

void variables_have_addresses(void **)
{
    mez_test_needs("module_data");
    scene s;
    mez::kernel get = mez::kernel::load(s.context, mez_test_kernel_path("scope"), "get");
    const mez::program_variable counter = get.variable("counter");
    int32_t value = 0;
    assert_int_equal(counter.size, sizeof value);
    s.queue.copy(&value, counter.pointer, counter.size);
    s.queue.wait();
    assert_true(value == 5 || !mez_test_has("results"));
    std::error_code error;
    assert_null(get.variable("conter", {}, error).pointer);
    assert_true(error == mez::errc::invalid_parameter);
}

// Arguments may be kept: they hold the values.
void arguments_hold_their_values(void **)
{
    scene s;
    uint32_t k = 4;
    const mez::args args(s.a, k);
    k = 100;
    s.queue.submit(s.step, mez::range(WIDTH), args);
    s.queue.wait();
    expect_all(s.a, 4);
}

void ranges_have_three_dimensions(void **)
{
    constexpr mez_range range = mez::range(4, 2u, 3);
    static_assert(range.dimensions == 3 && range.global[0] == 4 && range.global[2] == 3);
    constexpr mez_range local = mez::nd_range({8, 6}, {4, 3});
    static_assert(local.dimensions == 2 && local.global[1] == 6 && local.local[0] == 4 &&
                  local.local[1] == 3 && local.local[2] == 0);
    (void)range, (void)local;
}

void memory_is_copied_and_filled(void **)
{
    scene s;
    const uint32_t seven = 7, size = WIDTH * sizeof seven;
    s.queue.fill(s.a.get(), &seven, sizeof seven, size);
    s.queue.prefetch(s.a.get(), size);
    s.queue.advise(s.a.get(), size, MEZ_ADVICE_READ_MOSTLY);
    s.queue.copy(s.b.get(), s.a.get(), size / 2);
    s.queue.barrier();
    // The last quarter of each row of 64 bytes.
    s.queue.copy_2d(s.b.get() + WIDTH / 2 + 12, 64, s.a.get() + 12, 64, 16, 4);
    mez_copy_3d_params box = {};
    box.to = s.b.get() + WIDTH / 2 + 12; // the same again
    box.from = s.a.get() + 12;
    box.to_row_pitch = box.from_row_pitch = 64;
    box.width = 16;
    box.rows = box.slices = 2;
    s.queue.copy_3d(box);
    s.queue.wait();
    expect_all(s.b, 7, 0, WIDTH / 2);
    expect_all(s.b, 0, WIDTH / 2, WIDTH / 2 + 12);
    expect_all(s.b, 7, WIDTH / 2 + 12, WIDTH / 2 + 16);
    expect_all(s.b, 0, WIDTH / 2 + 64);
}

void tasks_wait_for_events(void **)
{
    scene s;
    mez_queue_params params = {};
    params.order = MEZ_OUT_OF_ORDER;
    params.profiling = true;
    s.queue = mez::queue::create(s.context, params);
    mez::event first, second, both, last;
    const mez_range range = mez::range(WIDTH);
    assert_int_equal(s.step.argument(1)->size, 4);
    assert_int_equal(s.step.info()->argument_count, 2);
    s.queue.submit(s.step, range, mez::args(s.a, 1u), mez::task().named("first").signals(first));
    s.queue.submit(s.step, range, mez::args(s.b, 2u), mez::task().signals(second).for_device());
    s.queue.marker(mez::task().after(mez::events(first, second)).signals(both));
    s.queue.submit(s.step, range, mez::args(s.a, 3u), mez::task().after(both).signals(last));
    last.wait();
    assert_true(last.happened());
    s.queue.wait();
    expect_all(s.a, 6);
    expect_all(s.b, 2);
    mez_test_needs("results");
    const mez_event_profile profile = last.profile();
    assert_true(profile.end >= profile.start);
}

void the_host_is_called(void **)
{
    scene s;
    std::atomic<int> calls{0};
    uint32_t seen = 0;
    const auto look = [&] { seen = s.a[WIDTH - 1]; };
    auto count = [&](mez_error outcome) { calls += mez_failed(outcome) ? 100 : 1; };
    mez::event done;
    s.queue.submit(s.step, mez::range(WIDTH), mez::args(s.a, 9u));
    s.queue.host_task(look, mez::task().signals(done));
    done.set_callback(count);
    done.wait();
    s.queue.wait();
    s.queue.reset(); // returns when the functions of its events have
    assert_int_equal(calls.load(), 1);
    mez_test_needs("results");
    assert_int_equal(seen, 9);
}

void launches_are_prepared(void **)
{
    scene s;
    mez::launch launch =
        mez::launch::create(s.queue, s.step, mez::range(WIDTH), mez::args(s.a, 1u));
    launch.submit();
    launch.set_argument(1, 2u);
    launch.submit(mez::task().named("again"));
    launch.set_argument(0, s.b);
    launch.submit();
    s.queue.wait();
    expect_all(s.a, 5);
    expect_all(s.b, 2);
    std::error_code code;
    launch.set_argument(9, 2u, code);
    assert_true(code == mez::errc::kernel_argument);
}

void recordings_are_replayed(void **)
{
    scene s;
    const uint32_t ones = 1, size = WIDTH * sizeof ones;
    mez::recording recording = mez::recording::create(s.context);
    assert_int_equal(recording.fill(s.a.get(), &ones, sizeof ones, size), 0);
    const uint32_t step = recording.submit(s.step, mez::range(WIDTH), mez::args(s.a, 1u));
    assert_int_equal(step, 1);
    assert_int_equal(recording.barrier(), 2);
    assert_int_equal(recording.copy(s.b.get(), s.a.get(), size / 2), 3);
    assert_int_equal(recording.copy_2d(s.b.get() + WIDTH / 2, 64, s.a.get(), 64, 64, 8), 4);
    mez_copy_3d_params box = {};
    box.to = s.b.get();
    box.from = s.a.get();
    box.width = box.rows = box.slices = 4;
    assert_int_equal(recording.copy_3d(box), 5);
    s.queue.replay(recording);
    s.queue.wait();
    expect_all(s.b, 4);
    recording.set_argument(step, 1, 7u);
    recording.set_range(step, mez::range(WIDTH / 2));
    mez::event done;
    s.queue.replay(recording, mez::task().signals(done));
    done.wait();
    expect_all(s.a, 10, 0, WIDTH / 2);
    expect_all(s.a, 1, WIDTH / 2);
    std::error_code code;
    recording.set_argument(99, 0, 7u, code);
    assert_true(code == mez::errc::invalid_parameter);
}

void queues_report_what_they_do(void **)
{
    scene s;
    assert_true(!s.queue.describe().empty());
    s.queue.flush();
    assert_true(s.queue.wait_for(std::chrono::minutes(5)));
}

} // namespace

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(kernels_run),
        MEZ_DEVICE_TEST(variables_have_addresses),
        MEZ_DEVICE_TEST(arguments_hold_their_values),
        MEZ_DEVICE_TEST(ranges_have_three_dimensions),
        MEZ_DEVICE_TEST(memory_is_copied_and_filled),
        MEZ_DEVICE_TEST(tasks_wait_for_events),
        MEZ_DEVICE_TEST(the_host_is_called),
        MEZ_DEVICE_TEST(launches_are_prepared),
        MEZ_DEVICE_TEST(recordings_are_replayed),
        MEZ_DEVICE_TEST(queues_report_what_they_do),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
