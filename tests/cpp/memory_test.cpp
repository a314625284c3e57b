// SPDX-License-Identifier: MIT
//
// Exceptions where memory is short: each allocation of making one fails in turn.

#include "unit.hpp"

#include <cstdlib>
#include <new>

namespace
{

// The allocation from now that fails; 0: none.
int fail_at = 0;

void *allocate(std::size_t size)
{
    if (fail_at > 0 && --fail_at == 0)
        throw std::bad_alloc();
    if (void *const memory = std::malloc(size > 0 ? size : 1))
        return memory;
    throw std::bad_alloc();
}

} // namespace

void *operator new(std::size_t size)
{
    return allocate(size);
}

void operator delete(void *memory) noexcept
{
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace
{

// True: an allocation has failed on the way.
bool throws_bad_alloc(mez_error error, int nth)
{
    fail_at = nth;
    try {
        mez::check(error);
    } catch (const std::bad_alloc &) {
        return true;
    } catch (const mez::runtime_error &failure) {
        fail_at = 0;
        assert_contains(failure.what(), "nonsense");
        return false;
    }
    fail();
    return false;
}

void bad_alloc_takes_the_place_of_an_exception(void **)
{
    const mez_error error = make_failure();
    int failures = 0;
    while (throws_bad_alloc(error, failures + 1))
        failures++;
    assert_true(failures >= 2);
    // Nobody has the story any more.
    for (int i = 0; i < 1000; i++)
        mez_error_ignore(mez_kernel_build_at(nullptr, nullptr, nullptr));
    assert_null(std::strstr(story_of(error), "nonsense"));
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {cmocka_unit_test(bad_alloc_takes_the_place_of_an_exception)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
