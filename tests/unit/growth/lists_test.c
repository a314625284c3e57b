// SPDX-License-Identifier: MIT
//
// The lists of folders that share names of types with those of growth_test.c.

#include "unit.h"

#include "base/alloc.h"
#include "base/text.h"
#include "child/words.h"
#include "each.h"
#include "memory/memory.h"

static void words_of_a_command(uint32_t count)
{
    mez_words words = {0};
    mez_text text = {0};
    for (uint32_t i = 0; i < count; i++)
        mez_text_add(&text, "%s ", many_name("word", i));
    assert_ok(mez_words_split(&words, mez_text_get(&text)));
    assert_int_equal(words.count, count);
    assert_string_equal(words.items[count - 1], many_name("word", count - 1));
    assert_null(words.items[count]);
    mez_text_finish(&text);
    mez_words_finish(&words);
}

static void spans_of_a_registry(uint32_t count)
{
    mez_registry registry = {0};
    mez_span *spans = mez_alloc_array(count, sizeof *spans);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = i % 2 ? i : count + i; // neither up nor down
        spans[i].start = (void *)(uintptr_t)(0x10000 + 0x100ull * place);
        spans[i].size = 0x100;
        assert_true(mez_registry_insert(&registry, &spans[i]));
    }
    for (uint32_t i = 0; i < count; i++)
        assert_ptr_equal(mez_registry_find(&registry, spans[i].start + 0xff), &spans[i]);
    for (uint32_t i = 0; i < count; i++)
        mez_registry_remove(&registry, &spans[i]);
    assert_null(mez_registry_find(&registry, spans[0].start));
    mez_registry_finish(&registry);
    mez_free_memory(spans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(words_of_a_command),
        EACH(spans_of_a_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
