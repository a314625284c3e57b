// SPDX-License-Identifier: MIT
//
// Objects: who owns them, when they go, and that failures of creating them leave nothing.

#include "noop.hpp"

#include <mezzanine/level_zero.hpp>
#include <mezzanine/ze_result.hpp>

#include <type_traits>

namespace
{

template <class Handle> constexpr bool moves_only()
{
    return std::is_nothrow_move_constructible_v<Handle> &&
           std::is_nothrow_move_assignable_v<Handle> && !std::is_copy_constructible_v<Handle> &&
           !std::is_copy_assignable_v<Handle> && std::is_nothrow_default_constructible_v<Handle> &&
           !std::is_convertible_v<Handle, bool> && sizeof(Handle) == sizeof(void *);
}

static_assert(moves_only<mez::context>());
static_assert(moves_only<mez::queue>());
static_assert(moves_only<mez::image>());
static_assert(moves_only<mez::kernel>());
static_assert(moves_only<mez::launch>());
static_assert(moves_only<mez::recording>());
static_assert(moves_only<mez::event>());
// Ownership is never taken by accident.
static_assert(!std::is_convertible_v<mez_queue *, mez::queue>);

void objects_go_with_their_owner(void **)
{
    {
        scene s;
        assert_int_equal(s.context.statistics().queues, 1);
        assert_int_equal(s.context.statistics().kernels, 1);
        assert_int_equal(s.context.statistics().shared_memory.allocations, 2);
        s.queue.reset();
        assert_int_equal(s.context.statistics().queues, 0);
        s.x = nullptr;
        assert_int_equal(s.context.statistics().shared_memory.allocations, 1);
    }
    assert_int_equal(noop_live_total(), 0);
}

void moving_gives_the_object_away(void **)
{
    scene s;
    mez_queue *const raw = s.queue.get();
    mez::queue other = std::move(s.queue);
    assert_ptr_equal(other.get(), raw);
    assert_false(static_cast<bool>(s.queue)); // NOLINT: empty, as promised
    s.queue = std::move(other);
    assert_ptr_equal(s.queue.get(), raw);
    mez::queue &same = s.queue;
    s.queue = std::move(same);
    assert_ptr_equal(s.queue.get(), raw);
    assert_int_equal(s.context.statistics().queues, 1);
    s.queue = mez::queue::create(s.context);
    assert_int_equal(s.context.statistics().queues, 1);
}

void raw_objects_go_in_and_out(void **)
{
    scene s;
    mez_queue *const raw = s.queue.release();
    assert_null(s.queue.get());
    assert_int_equal(s.context.statistics().queues, 1);
    const mez::queue again(raw);
    assert_ptr_equal(again.get(), raw);
    mez::check(mez_queue_create_at(nullptr, s.context.get(), nullptr, s.queue.put()));
    assert_int_equal(s.context.statistics().queues, 2);
    s.queue.put();
    assert_int_equal(s.context.statistics().queues, 1);
}

void a_failed_creation_leaves_nothing(void **)
{
    const mez::context context = mez::context::create();
    bool failed = true;
    unsigned failures = 0;
    for (unsigned nth = 1; failed; nth++) {
        noop_reset();
        noop_fail(nullptr, nth, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        std::error_code code;
        const mez::queue queue = mez::queue::create(context, {}, code);
        failed = noop_fired() > 0;
        if (code) {
            failures++;
            assert_true(code == mez::errc::memory_allocation);
            assert_false(static_cast<bool>(queue));
            assert_int_equal(context.statistics().queues, 0);
        }
    }
    assert_true(failures > 0);
}

void places_reach_the_story(void **)
{
    scene s;
    mez_error error;
    const int line = mez::here().line + 1;
    s.queue.submit(s.saxpy, mez::range(0), mez::args(2.0f, s.x, s.y), {}, error);
    assert_condition(error, MEZ_ERRC_ND_RANGE);
    const std::string place = "handles_test.cpp:" + std::to_string(line);
    assert_contains(mez::find_field(error, "called from").c_str(), place.c_str());
    assert_contains(mez::find_field(error, "called from").c_str(), __func__);
}

std::string last_warning;

void remember(void *, mez_log_level, const char *, const char *message)
{
    last_warning = message;
}

void resetting_has_a_place_and_destructors_none(void **)
{
    mez::context context = mez::context::create();
    mez::queue left = mez::queue::create(context);
    mez_log_set_function(remember, nullptr);
    const int line = mez::here().line + 1;
    context.reset();
    assert_contains(last_warning.c_str(),
        ("; destroyed at " __FILE__ ":" + std::to_string(line) + ", ").c_str());
    assert_contains(last_warning.c_str(), __func__);
    left.reset();
    {
        const mez::context other = mez::context::create();
        left = mez::queue::create(other);
    }
    mez_log_set_function(nullptr, nullptr);
    assert_contains(last_warning.c_str(), "is still alive");
    assert_true(last_warning.find("destroyed at") == std::string::npos);
}

void arguments_are_checked_by_the_library(void **)
{
    scene s;
    std::error_code code;
    s.queue.submit(s.saxpy, mez::range(64), mez::args(2.0, s.x, s.y), {}, code);
    assert_true(code == mez::errc::kernel_argument);
    s.queue.submit(s.saxpy, mez::range(64), mez::args(2.0f, s.x), {}, code);
    assert_true(code == mez::errc::kernel_argument);
    s.queue.submit(s.saxpy, mez::range(64), mez::args(2.0f, s.x, mez::local{64}), {}, code);
    assert_true(code == mez::errc::kernel_argument);
    s.queue.submit(s.saxpy, mez::range(64), mez::args(2.0f, nullptr, s.y.get()), {}, code);
    assert_false(static_cast<bool>(code));
}

void too_many_items_are_an_error(void **)
{
    const mez::context context = mez::context::create();
    std::error_code code;
    const auto memory = mez::alloc_device<double>(context, SIZE_MAX / 4, code);
    assert_true(code == mez::errc::memory_allocation);
    assert_false(static_cast<bool>(memory));
}

void memory_knows_what_it_was_made_for(void **)
{
    const mez::context context = mez::context::create();
    mez_memory_params params = {};
    params.kind = MEZ_MEMORY_HOST;
    params.debug_name = "table";
    const auto table = mez::alloc<int>(context, params, 10);
    const mez_memory_info info = mez::memory_info(context, &table[3]);
    assert_int_equal(info.origin, MEZ_POINTER_ALLOCATION);
    assert_int_equal(info.kind, MEZ_MEMORY_HOST);
    assert_int_equal(info.size, 10 * sizeof(int));
    assert_int_equal(info.offset, 3 * sizeof(int));
    assert_string_equal(info.debug_name, "table");
    const auto host = mez::alloc_host<int>(context, 1);
    assert_int_equal(mez::memory_info(context, host.get()).kind, MEZ_MEMORY_HOST);
    std::error_code code;
    mez::free(mez::alloc_device<int>(context, 1), code);
    assert_false(static_cast<bool>(code));
    mez_error error;
    int on_the_stack = 0;
    mez::free(mez::memory<int>(&on_the_stack, mez::memory_deleter<mez_free_at>(context)), error);
    assert_true(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
    assert_contains(mez::find_field(error, "called from").c_str(), "handles_test.cpp");
    mez::memory_info(mez::context(), nullptr, code);
    assert_true(code == mez::errc::invalid_parameter);
}

void sharing_reports_what_is_wrong(void **)
{
    const mez::context context = mez::context::create();
    const auto pooled = mez::alloc_device<int>(context, 1);
    std::error_code code;
    const mez_ipc_handle handle = mez::ipc_handle(context, pooled.get(), code);
    assert_true(code == mez::errc::invalid_parameter);
    assert_false(static_cast<bool>(mez::ipc_open<int>(context, {}, handle, code)));
    assert_true(code == mez::errc::invalid_parameter);
    mez::ipc_send(context, pooled.get(), -1, code);
    assert_true(code == mez::errc::invalid_parameter);
    assert_false(static_cast<bool>(mez::ipc_receive<int>(context, {}, -1, code)));
    assert_true(code == mez::errc::file);
}

void devices_answer(void **)
{
    const mez::context context = mez::context::create();
    assert_true(context.device_count() > 0);
    const mez::device device = context.device_at(0);
    assert_ptr_equal(device.info(), mez_device_get_info(device.get()));
    assert_null(mez::device().info());
    assert_string_equal(device.architecture(), mez_device_get_architecture(device.get()));
    assert_ptr_equal(device.target(), mez_device_get_target(device.get()));
    assert_int_equal(device.has_aspect("fp64"), device.info()->fp64);
    assert_int_equal(device.memory_state().total, device.info()->memory_size);
    assert_int_equal(device.details()->core_clock, 1000);
    assert_int_equal(device.sub_device_count(), mez_device_get_sub_device_count(device.get()));
    assert_false(static_cast<bool>(device.sub_device(99)));
    assert_false(static_cast<bool>(device.parent()));
    assert_false(static_cast<bool>(context.device_at(99)));
    assert_true(context.driver_info().api_version != 0);
    std::error_code code;
    device.native_asserts(code);
    assert_false(static_cast<bool>(code));
    mez::device().native_asserts(code);
    assert_true(code == mez::errc::invalid_parameter);
}

void kernels_answer(void **)
{
    const mez::context context = mez::context::create();
    const mez::image image = mez::image::load(context, kernels_path().c_str());
    assert_true(image.kernel_count() > 1);
    assert_null(image.kernel_name(99));
    const mez::kernel saxpy = mez::kernel::create(image, "saxpy");
    assert_string_equal(saxpy.name(), "saxpy");
    assert_int_equal(saxpy.argument_count(), 3);
    assert_false(saxpy.uses_assert());
    assert_true(saxpy.is_supported());
    mez_error reason;
    assert_false(mez::kernel().is_supported({}, &reason));
    assert_condition(reason, MEZ_ERRC_INVALID_PARAMETER);
}

void adopted_contexts_stay_their_owners(void **)
{
    const mez::context own = mez::context::create();
    mez_context_adopt_params params = {};
    params.ze_driver = mez::get_ze_driver(own);
    params.ze_context = mez::get_ze(own);
    {
        const mez::context adopted = mez::context_adopt(params);
        assert_ptr_equal(mez::get_ze(adopted), params.ze_context);
        assert_ptr_equal(mez::get_ze(adopted.device_at(0)), mez::get_ze(own.device_at(0)));
    }
    assert_int_equal(noop_live(NOOP_CONTEXT), 1);
    std::error_code code;
    params.ze_context = nullptr;
    assert_false(static_cast<bool>(mez::context_adopt(params, code)));
    assert_true(code == mez::errc::invalid_parameter);
}

void native_commands_go_into_queues(void **)
{
    scene s;
    ze_command_list_handle_t seen = nullptr;
    mez::submit_native(s.queue, [&](ze_command_list_handle_t list) {
        seen = list;
        return ZE_RESULT_SUCCESS;
    });
    assert_non_null(seen);
    std::error_code code;
    mez::submit_native(
        s.queue, [](ze_command_list_handle_t) { return ZE_RESULT_ERROR_UNSUPPORTED_SIZE; }, {},
        code);
    assert_true(code == ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    s.queue.wait();
}

void events_have_native_ones(void **)
{
    scene s;
    mez::event done;
    s.queue.barrier(mez::task().signals(done));
    const ze_event_handle_t ze = mez::get_ze(done);
    assert_non_null(ze);
    const mez::event adopted = mez::event_adopt(s.context, ze);
    assert_ptr_equal(mez::get_ze(adopted), ze);
    s.queue.wait();
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        NOOP_TEST(objects_go_with_their_owner),
        NOOP_TEST(moving_gives_the_object_away),
        NOOP_TEST(raw_objects_go_in_and_out),
        NOOP_TEST(a_failed_creation_leaves_nothing),
        NOOP_TEST(places_reach_the_story),
        NOOP_TEST(resetting_has_a_place_and_destructors_none),
        NOOP_TEST(arguments_are_checked_by_the_library),
        NOOP_TEST(too_many_items_are_an_error),
        NOOP_TEST(memory_knows_what_it_was_made_for),
        NOOP_TEST(sharing_reports_what_is_wrong),
        NOOP_TEST(devices_answer),
        NOOP_TEST(kernels_answer),
        NOOP_TEST(adopted_contexts_stay_their_owners),
        NOOP_TEST(native_commands_go_into_queues),
        NOOP_TEST(events_have_native_ones),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
