// SPDX-License-Identifier: MIT
//
// How programs handle errors: by any error, by family, by condition, by native code, without exceptions, and as a result type.

#include "noop.hpp"

#include <mezzanine/ze_result.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace
{

// Fails in the library: what is given is not an image.
mez::image load_garbage(const mez::context &context, mez::caller from = {})
{
    mez_image_params params = {};
    params.code = "not a real image";
    params.size = 16;
    return mez::image::create(context, params, from);
}

// Fails in the driver: its compiler refuses the module, and then the kernel by itself.
void build_what_is_refused(const mez::context &context, mez::caller from = {})
{
    mez_error error;
    mez::kernel kernel = mez::kernel::load(context, kernels_path().c_str(), "saxpy", error);
    assert_ok(error);
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    noop_fail("zeModuleCreate", 2, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    kernel.build({}, from);
}

void any_error_is_caught(void **)
{
    const mez::context context = mez::context::create();
    int caught = 0;
    try {
        load_garbage(context);
    } catch (const mez::exception &failure) {
        caught++;
        assert_contains(failure.what(), "MEZ_ERRC_INVALID_IMAGE");
    }
    try {
        build_what_is_refused(context);
    } catch (const mez::exception &failure) {
        caught++;
        assert_contains(failure.what(), "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE");
    }
    assert_int_equal(caught, 2);
}

template <class Failing> const char *family_of(const Failing &failing)
{
    try {
        failing();
    } catch (const mez::runtime_error &) {
        return "runtime";
    } catch (const mez::device_error &) {
        return "device";
    }
    return "none";
}

void runtime_errors_alone_are_caught(void **)
{
    const mez::context context = mez::context::create();
    assert_string_equal(family_of([&] { load_garbage(context); }), "runtime");
    assert_string_equal(family_of([&] { build_what_is_refused(context); }), "device");
}

// True: it was the condition. What else it is goes on.
template <class Failing> bool stopped_at(mez::errc condition, const Failing &failing)
{
    try {
        failing();
    } catch (const mez::exception &failure) {
        if (failure.code() == condition)
            return true;
        throw;
    }
    return false;
}

void conditions_are_caught(void **)
{
    const mez::context context = mez::context::create();
    const auto refused = [&] { build_what_is_refused(context); };
    assert_true(stopped_at(mez::errc::invalid_image, [&] { load_garbage(context); }));
    assert_true(stopped_at(mez::errc::compile_program, refused));
    bool went_on = false;
    try {
        stopped_at(mez::errc::link_program, refused);
    } catch (const mez::device_error &) {
        went_on = true;
    }
    assert_true(went_on);
}

const char *native_code_of(const mez::context &context)
{
    try {
        build_what_is_refused(context);
    } catch (const mez::exception &failure) {
        if (failure.category() != mez::level_zero_category())
            throw;
        switch (static_cast<ze_result_t>(failure.code().value())) {
        case ZE_RESULT_ERROR_MODULE_BUILD_FAILURE:
            return "build failure";
        case ZE_RESULT_ERROR_DEVICE_LOST:
            return "lost";
        default:
            return "other";
        }
    }
    return "none";
}

void native_codes_can_be_switched_on(void **)
{
    assert_string_equal(native_code_of(mez::context::create()), "build failure");
}

void codes_come_without_exceptions(void **)
{
    std::error_code code = mez::make_error_code(mez::errc::timeout);
    const mez::context context = mez::context::create({}, code);
    assert_false(static_cast<bool>(code));

    const mez::image image = load_garbage(context, code);
    assert_true(code == mez::errc::invalid_image);
    assert_false(static_cast<bool>(image));

    build_what_is_refused(context, code);
    assert_true(code == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_true(code == mez::errc::compile_program);
    assert_true(code.category() == mez::level_zero_category());
}

// A value or why there is none, as result types of many libraries are.
template <class T> class result
{
  public:
    result(T value) : value_(std::move(value))
    {
    }

    result(std::error_code why) : error_(why)
    {
    }

    template <class Condition, class = std::enable_if_t<std::is_error_code_enum_v<Condition>>>
    result(Condition why) : error_(make_error_code(why))
    {
    }

    explicit operator bool() const
    {
        return value_.has_value();
    }

    T &value()
    {
        return *value_;
    }

    std::error_code error() const
    {
        return error_;
    }

  private:
    std::optional<T> value_;
    std::error_code error_;
};

result<mez::kernel> find_kernel(const mez::context &context, const char *name)
{
    std::error_code code;
    mez::kernel kernel = mez::kernel::load(context, kernels_path().c_str(), name, code);
    if (code)
        return code;
    return kernel;
}

result<int> refuse()
{
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

void results_carry_codes(void **)
{
    const mez::context context = mez::context::create();
    result<mez::kernel> found = find_kernel(context, "saxpy");
    assert_true(static_cast<bool>(found));
    assert_string_equal(found.value().name(), "saxpy");

    const result<mez::kernel> missing = find_kernel(context, "no such kernel");
    assert_false(static_cast<bool>(missing));
    assert_true(missing.error() == mez::errc::kernel);
    assert_string_equal(
        missing.error().message().c_str(), mez_condition_get_message(MEZ_ERRC_KERNEL));

    assert_true(refuse().error() == mez::errc::feature_not_supported);
}

void kernels_are_made_of_text(void **)
{
    const mez::context context = mez::context::create();
    mez_image_params params = {};
    params.source = "kernel void fill(global int *p) { p[get_global_id(0)] = VALUE; }";
    params.compile_options = "-D VALUE=3";
    params.debug_name = "fill.cl";
    const mez::image image = mez::image::create(context, params);
    assert_int_equal(image.kernel_count(), 1);
    assert_string_equal(image.kernel_name(0), "fill");
    mez::kernel::create(image, "fill").build({});

    params.compile_options = nullptr;
    try {
        mez::image::create(context, params);
        fail();
    } catch (const mez::exception &failure) {
        assert_true(failure.code() == mez::errc::compile_program);
        assert_contains(failure.what(), "fill.cl:1:");
        assert_contains(failure.what(), "use of undeclared identifier 'VALUE'");
    }
}

void write_text(const char *path, const char *text)
{
    FILE *const stream = std::fopen(path, "w");
    assert_non_null(stream);
    assert_true(std::fputs(text, stream) >= 0);
    assert_int_equal(std::fclose(stream), 0);
}

void kernels_are_made_of_files_of_text(void **)
{
    const mez::context context = mez::context::create();
    const std::string name = "cpp_scenarios_" + std::to_string(getpid()) + ".cl";
    const char *const path = name.c_str();
    write_text(path, "kernel void fill(global int *p) { *p = 3; }\n");
    assert_string_equal(mez::image::load(context, path).kernel_name(0), "fill");
    assert_string_equal(mez::kernel::load(context, path, "fill").name(), "fill");

    write_text(path, "kernel void fill(global int *p) { *p = x; }\n");
    mez_error error;
    assert_false(static_cast<bool>(mez::kernel::load(context, path, "fill", error)));
    std::remove(path);
    assert_true(mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM));
}

void the_program_signals(void **)
{
    scene s;
    mez::event go = mez::event::create_user(s.context), never = mez::event::create_user(s.context);
    s.queue.barrier(mez::task().after(go));
    go.signal();
    s.queue.wait();
    mez_error error;
    go.signal(error);
    assert_true(mez_error_is(error, MEZ_ERRC_WRONG_STATE));
    never.signal_error(error);
    assert_true(mez_error_is(mez_event_get_status_at(nullptr, never.get()), MEZ_ERRC_WRONG_STATE));
}

void waits_for_several(const mez::event &not_yet)
{
    std::size_t index;
    mez_error error;
    assert_false(mez::wait_all_for(mez::events(not_yet), std::chrono::nanoseconds(0)));
    assert_false(mez::wait_any_for(mez::events(not_yet), std::chrono::nanoseconds(0), index));
    assert_int_equal(index, 1);
    mez::wait_any(std::vector<mez_event *>{not_yet.get(), nullptr}, error);
    assert_true(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
}

void a_failure_that_is_an_answer_is_no_exception(void **)
{
    scene s;
    noop_hold(true);
    mez::event done;
    s.queue.submit(s.saxpy, mez::range(64), mez::args(2.0f, s.x, s.y), mez::task().signals(done));
    assert_false(done.happened());
    assert_false(done.wait_for(std::chrono::nanoseconds(0)));
    assert_false(s.queue.wait_for(std::chrono::nanoseconds(-1)));
    waits_for_several(done);
    noop_hold(false);
    assert_int_equal(mez::wait_any(mez::events(done)), 0);
    mez::wait_all(std::vector<mez_event *>{done.get(), done.get()});
    done.wait();
    assert_true(done.happened());
    assert_true(s.queue.wait_for(std::chrono::seconds(600)));
}

void parts_of_a_story_can_be_walked(void **)
{
    const mez::context context = mez::context::create();
    mez_error error;
    build_what_is_refused(context, error);
    const mez::kept_error kept(error);
    assert_int_equal(mez::causes(error).size(), mez_error_get_cause_count(error));
    const std::vector<mez::field> fields = mez::fields(error);
    assert_true(!fields.empty());
    assert_int_equal(fields.size(), mez_error_get_field_count(error));
    for (const mez::field &field : fields)
        assert_contains(mez::story(error).c_str(), field.name);
    assert_contains(mez::find_field(error, "called from").c_str(), "scenarios_test.cpp");
    assert_contains(mez::json(error).c_str(), "\"family\":\"mezzanine device\"");
    assert_contains(mez::story(error).c_str(), mez::headline(error).c_str());
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        NOOP_TEST(any_error_is_caught),
        NOOP_TEST(runtime_errors_alone_are_caught),
        NOOP_TEST(conditions_are_caught),
        NOOP_TEST(native_codes_can_be_switched_on),
        NOOP_TEST(codes_come_without_exceptions),
        NOOP_TEST(results_carry_codes),
        NOOP_TEST(kernels_are_made_of_text),
        NOOP_TEST(kernels_are_made_of_files_of_text),
        NOOP_TEST(the_program_signals),
        NOOP_TEST(a_failure_that_is_an_answer_is_no_exception),
        NOOP_TEST(parts_of_a_story_can_be_walked),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
