// SPDX-License-Identifier: MIT

#include "devicelib/devicelib.h"

#include <string.h>

_Static_assert(sizeof(mez_assert_record) == 704, "the device's layout");
_Static_assert(offsetof(mez_assert_log, total) == 0, "the device's layout");
_Static_assert(offsetof(mez_assert_log, taken) == 4, "the device's layout");
_Static_assert(offsetof(mez_assert_log, sites) == 8, "the device's layout");
_Static_assert(offsetof(mez_assert_log, first) == 520, "the device's layout");
_Static_assert(offsetof(mez_assert_log, more) == 45576, "the device's layout");
_Static_assert(sizeof(mez_assert_log) == 766472, "the device's layout");
_Static_assert(offsetof(mez_assert_mailbox, failures) == 8, "the device's layout");
_Static_assert(offsetof(mez_assert_mailbox, first) == 4104, "the device's layout");
_Static_assert(offsetof(mez_assert_mailbox, log) == 49160, "the device's layout");

// Made at build time: suffixes as in devicelib/meson.build.
#define EACH_VARIANT(X)                     \
    X(_native, NULL, false)                 \
    X(_plain, NULL, true)                   \
    X(_renamed, NULL, true)                 \
    X(_many, MEZ_ASSERT_LOG_VARIABLE, true) \
    X(_many_renamed, MEZ_ASSERT_LOG_VARIABLE, true)

#define DECLARE(suffix, log, fails)                           \
    extern const uint8_t mez_devicelib_spirv##suffix[];       \
    extern const size_t mez_devicelib_spirv##suffix##_size;   \
    extern const uint8_t mez_devicelib_spirv_later##suffix[]; \
    extern const size_t mez_devicelib_spirv_later##suffix##_size;
EACH_VARIANT(DECLARE)
#undef DECLARE

#define FIRST_NAMES(suffix, log, fails)                                                          \
    {mez_devicelib_spirv##suffix, &mez_devicelib_spirv##suffix##_size, MEZ_ASSERT_VARIABLE, log, \
        fails},
#define LATER_NAMES(suffix, log, fails)                                            \
    {mez_devicelib_spirv_later##suffix, &mez_devicelib_spirv_later##suffix##_size, \
        MEZ_ASSERT_VARIABLE_LATER, log, fails},
static const mez_devicelib libraries[2][5] = {
    {EACH_VARIANT(FIRST_NAMES)}, {EACH_VARIANT(LATER_NAMES)}};

extern const uint8_t mez_devicelib_spirv_post[];
extern const size_t mez_devicelib_spirv_post_size;

static const mez_devicelib posting = {
    mez_devicelib_spirv_post, &mez_devicelib_spirv_post_size, .fails = true};

const mez_devicelib *mez_devicelib_get(const mez_devicelib_wish *wish)
{
    if (wish->posts)
        return &posting;
    const size_t variant = wish->native ? 0 : 1u + wish->renamed + 2u * wish->many;
    return &libraries[wish->later_names][variant];
}

extern const uint8_t mez_devicelib_spirv_c_assert[], mez_devicelib_spirv_c_assert_renamed[],
    mez_devicelib_spirv_c_assert_post[];
extern const size_t mez_devicelib_spirv_c_assert_size, mez_devicelib_spirv_c_assert_renamed_size,
    mez_devicelib_spirv_c_assert_post_size;

const uint8_t *mez_devicelib_c_assert(mez_c_assert how, size_t *size)
{
    static const struct {
        const uint8_t *code;
        const size_t *size;
    } modules[] = {
        {mez_devicelib_spirv_c_assert, &mez_devicelib_spirv_c_assert_size},
        {mez_devicelib_spirv_c_assert_renamed, &mez_devicelib_spirv_c_assert_renamed_size},
        {mez_devicelib_spirv_c_assert_post, &mez_devicelib_spirv_c_assert_post_size},
    };
    *size = *modules[how].size;
    return modules[how].code;
}

bool mez_devicelib_defines(const mez_devicelib *library, const char *symbol)
{
    if (strcmp(symbol, MEZ_ASSERT_FAIL) == 0)
        return library->fails;
    if (!library->record)
        return false;
    return strcmp(symbol, MEZ_ASSERT_READ) == 0 || strcmp(symbol, library->record) == 0 ||
           (library->log && strcmp(symbol, library->log) == 0);
}

bool mez_devicelib_knows(const char *symbol)
{
    const mez_devicelib *first = mez_devicelib_get(&(mez_devicelib_wish){.many = true});
    return mez_devicelib_defines(first, symbol) || strcmp(symbol, MEZ_C_ASSERT_FAIL) == 0 ||
           strcmp(symbol, MEZ_ASSERT_VARIABLE_LATER) == 0;
}
