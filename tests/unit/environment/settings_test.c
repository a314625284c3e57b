// SPDX-License-Identifier: MIT
//
// The list of settings as programs see it.

#include <stdlib.h>

#include <mezzanine/settings.h>

#include "base/alloc.h"
#include "unit.h"

static mez_settings *create_settings(void)
{
    mez_settings *settings;
    assert_ok(mez_settings_create(&settings));
    return settings;
}

static const mez_setting_info *find(const mez_settings *settings, const char *name)
{
    for (uint32_t i = 0; i < mez_settings_get_count(settings); i++)
        if (strcmp(mez_settings_get_setting(settings, i)->name, name) == 0)
            return mez_settings_get_setting(settings, i);
    fail_msg("there is no setting %s", name);
    return NULL;
}

static void what_is_not_set_has_its_default(void **state)
{
    (void)state;
    unsetenv("MEZ_STALL");
    setenv("MEZ_BATCH", "", 1);
    mez_settings *settings = create_settings();
    const mez_setting_info *stall = find(settings, "MEZ_STALL");
    assert_null(stall->value);
    assert_string_equal(stall->otherwise, "10");
    assert_string_equal(stall->effect, "10");
    assert_contains(stall->meaning, "without progress");
    assert_contains(stall->values, "seconds");
    assert_false(mez_failed(stall->error));
    assert_null(find(settings, "MEZ_BATCH")->value);
    assert_null(mez_settings_get_setting(settings, mez_settings_get_count(settings)));
    mez_settings_destroy(&settings);
    assert_null(settings);
    mez_settings_destroy(&settings);
    unsetenv("MEZ_BATCH");
}

static void what_is_set_holds(void **state)
{
    static const char *const valid[][2] = {
        {"MEZ_ASSERT", "error"},
        {"MEZ_ASSERT_LIMIT", "8"},
        {"MEZ_ASSERT_LINK", "dynamic"},
        {"MEZ_BATCH", "12"},
        {"MEZ_CACHE", "/nowhere/at/all"},
        {"MEZ_CACHE_LIMIT", "512M"},
        {"MEZ_COPY_OFFLOAD", "0"},
        {"MEZ_DEVICE", "any name"},
        {"MEZ_DRIVERS", "gpu,cpu"},
        {"MEZ_LOG", "queue:debug"},
        {"MEZ_QUEUE", "basic"},
        {"MEZ_STALL", "0.5"},
        {"MEZ_CHECK", "16M"},
        {"MEZ_VALIDATE", "1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        setenv(valid[i][0], valid[i][1], 1);
        mez_settings *settings = create_settings();
        unsetenv(valid[i][0]);
        const mez_setting_info *setting = find(settings, valid[i][0]);
        assert_false(mez_failed(setting->error));
        assert_string_equal(setting->value, valid[i][1]);
        assert_string_equal(setting->effect, valid[i][1]);
        mez_settings_destroy(&settings);
    }
}

static void what_has_no_meaning_is_an_error(void **state)
{
    static const char *const invalid[][2] = {
        {"MEZ_ASSERT", "ignore"},
        {"MEZ_ASSERT_LIMIT", "0"},
        {"MEZ_ASSERT_LINK", "static"},
        {"MEZ_BATCH", "many"},
        {"MEZ_CACHE", "somewhere"},
        {"MEZ_CACHE_LIMIT", "1G5"},
        {"MEZ_COPY_OFFLOAD", "maybe"},
        {"MEZ_DRIVERS", "all"},
        {"MEZ_QUEUE", "fast"},
        {"MEZ_STALL", "-1"},
        {"MEZ_CHECK", "yes"},
        {"MEZ_VALIDATE", "yes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        setenv(invalid[i][0], invalid[i][1], 1);
        mez_settings *settings = create_settings();
        unsetenv(invalid[i][0]);
        const mez_setting_info *setting = find(settings, invalid[i][0]);
        assert_true(mez_error_is(setting->error, MEZ_ERRC_INVALID_PARAMETER));
        assert_contains(story_of(setting->error), invalid[i][0]);
        assert_contains(story_of(setting->error), setting->values);
        assert_null(setting->effect);
        for (uint32_t j = 0; j < mez_settings_get_count(settings); j++) {
            const mez_setting_info *other = mez_settings_get_setting(settings, j);
            assert_true(other == setting || !mez_failed(other->error));
        }
        mez_settings_destroy(&settings);
    }
}

static void a_wrong_level_only_costs_messages(void **state)
{
    (void)state;
    setenv("MEZ_LOG", "loud", 1);
    mez_settings *settings = create_settings();
    unsetenv("MEZ_LOG");
    const mez_setting_info *log = find(settings, "MEZ_LOG");
    assert_contains(story_of(log->error), "MEZ_LOG=loud");
    assert_string_equal(log->effect, "warn");
    mez_settings_destroy(&settings);
}

static void a_file_that_is_missing_is_an_error(void **state)
{
    (void)state;
    setenv("MEZ_DEVICE_CONFIG", "/nowhere/devices.yaml", 1);
    mez_settings *settings = create_settings();
    unsetenv("MEZ_DEVICE_CONFIG");
    assert_true(mez_error_is(find(settings, "MEZ_DEVICE_CONFIG")->error, MEZ_ERRC_FILE));
    mez_settings_destroy(&settings);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    mez_settings *settings;
    assert_story(mez_settings_create(NULL), MEZ_ERRC_INVALID_PARAMETER, "\"settings\"");
    mez_alloc_fail_at(1);
    assert_story(mez_settings_create(&settings), MEZ_ERRC_OUT_OF_HOST_MEMORY, "settings");
    mez_alloc_fail_at(0);
    assert_null(settings);
    assert_int_equal(mez_settings_get_count(NULL), 0);
    assert_null(mez_settings_get_setting(NULL, 0));
}

static void without_memory_nothing_stays(void **state)
{
    (void)state;
    bool good = false;
    setenv("MEZ_CACHE", "/nowhere", 1);
    setenv("MEZ_QUEUE", "fast", 1);
    for (uint64_t n = 1; !good; n++) {
        mez_settings *settings;
        mez_alloc_fail_at(n);
        const mez_error error = mez_settings_create(&settings);
        good = mez_alloc_fail_at(0) < n;
        assert_true(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY));
        mez_settings_destroy(&settings);
    }
    unsetenv("MEZ_CACHE");
    unsetenv("MEZ_QUEUE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_set_has_its_default),
        cmocka_unit_test(what_is_set_holds),
        cmocka_unit_test(what_has_no_meaning_is_an_error),
        cmocka_unit_test(a_wrong_level_only_costs_messages),
        cmocka_unit_test(a_file_that_is_missing_is_an_error),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
