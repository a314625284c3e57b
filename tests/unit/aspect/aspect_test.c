// SPDX-License-Identifier: MIT
//
// The table of aspects, and sets of them.

#include <string.h>

#include "aspect/aspect.h"
#include "unit.h"

static mez_aspect find(const char *name)
{
    return mez_aspect_find(name, strlen(name));
}

static void every_name_finds_itself(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MEZ_ASPECT_COUNT; i++)
        assert_int_equal(find(mez_aspect_name((mez_aspect)i)), i);
}

static void every_number_belongs_to_one_aspect(void **state)
{
    (void)state;
    for (uint32_t numbering = 0; numbering < MEZ_ASPECT_NUMBERINGS; numbering++) {
        for (uint32_t i = 0; i < MEZ_ASPECT_COUNT; i++) {
            uint32_t number;
            if (mez_aspect_get_number((mez_aspect)i, numbering, &number))
                assert_int_equal(mez_aspect_from_number(numbering, number), i);
        }
    }
}

static void numbers_depend_on_the_numbering(void **state)
{
    (void)state;
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_CLASSIC, 6), MEZ_ASPECT_fp64);
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_RENUMBERED, 6), MEZ_ASPECT_fp64);
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_CLASSIC, 28), MEZ_ASPECT_atomic64);
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_RENUMBERED, 27), MEZ_ASPECT_atomic64);
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_CLASSIC, 53), MEZ_ASPECT_ext_intel_esimd);
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_CLASSIC, 4711), MEZ_ASPECT_NONE);
    assert_int_equal(mez_aspect_from_number(MEZ_ASPECTS_CLASSIC, UINT32_MAX), MEZ_ASPECT_NONE);
    uint32_t number;
    assert_false(
        mez_aspect_get_number(MEZ_ASPECT_ext_intel_mem_channel, MEZ_ASPECTS_RENUMBERED, &number));
}

static void other_spellings_are_found(void **state)
{
    (void)state;
    assert_int_equal(find("aspect::fp16"), MEZ_ASPECT_fp16);
    assert_int_equal(find("usm_system_allocator"), MEZ_ASPECT_usm_system_allocations);
    assert_int_equal(find("ext_oneapi_fragment"), MEZ_ASPECT_ext_oneapi_ballot_group);
    assert_int_equal(find(""), MEZ_ASPECT_NONE);
    assert_int_equal(find("aspect::"), MEZ_ASPECT_NONE);
    assert_int_equal(find("fp6"), MEZ_ASPECT_NONE);
    assert_int_equal(mez_aspect_find("fp64,gpu", 4), MEZ_ASPECT_fp64);
}

static const char *suggest(const char *name)
{
    return mez_aspect_suggest(name, strlen(name));
}

static void slips_of_the_hand_are_understood(void **state)
{
    (void)state;
    assert_string_equal(suggest("atomic_64"), "atomic64");
    assert_string_equal(suggest("ext_intel_esmid"), "ext_intel_esimd");
    assert_null(suggest("something_else"));
    char endless[4096];
    memset(endless, 'x', sizeof endless);
    assert_null(mez_aspect_suggest(endless, sizeof endless));
}

static void sets_unite_and_differ(void **state)
{
    (void)state;
    mez_aspects a = {0}, b = {0};
    assert_int_equal(mez_aspects_next(&a, (mez_aspect)0), MEZ_ASPECT_COUNT);
    mez_aspects_add(&a, MEZ_ASPECT_fp64);
    mez_aspects_add(&b, MEZ_ASPECT_fp64);
    mez_aspects_add(&b, (mez_aspect)(MEZ_ASPECT_COUNT - 1));
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(mez_aspects_unite(&a, &b));
    assert_false(mez_aspects_unite(&a, &b));
    assert_memory_equal(&a, &b, sizeof a);
    uint32_t visited = 0;
    mez_aspects_each(&a, it)
    {
        visited++;
        assert_true(mez_aspects_has(&b, it));
    }
    assert_int_equal(visited, 2);
    const mez_aspects rest = mez_aspects_except(&a, &b);
    assert_int_equal(mez_aspects_next(&rest, (mez_aspect)0), MEZ_ASPECT_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_finds_itself),
        cmocka_unit_test(every_number_belongs_to_one_aspect),
        cmocka_unit_test(numbers_depend_on_the_numbering),
        cmocka_unit_test(other_spellings_are_found),
        cmocka_unit_test(slips_of_the_hand_are_understood),
        cmocka_unit_test(sets_unite_and_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
