// SPDX-License-Identifier: MIT
//
// The library's settings: all variables of the environment that begin with MEZ_, what they are set
// to, and whether that can be understood. A program can show them to its users, or refuse to start
// with a wrong one before it opens a device. `mez doctor` shows this list; docs/environment.md
// explains each variable.
//
//     mez_settings *settings = NULL;
//     mez_error err = mez_settings_create(&settings);
//     for (uint32_t i = 0; i < mez_settings_get_count(settings); i++) {
//         const mez_setting_info *setting = mez_settings_get_setting(settings, i);
//         if (mez_failed(setting->error))
//             mez_error_print(stderr, setting->error);
//     }
//     mez_settings_destroy(&settings);
//
// Thread-safety: safe while nobody changes the environment; a list never changes after its
// creation.

#ifndef MEZZANINE_SETTINGS_H
#define MEZZANINE_SETTINGS_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// The settings as they were when the list was created.
typedef struct mez_settings mez_settings;

// One setting. Read-only; lives as long as the list. Later versions may add members at its end.
typedef struct mez_setting_info {
    const char *name;      // "MEZ_QUEUE"
    const char *meaning;   // what it decides: "how queues hand tasks to the driver"
    const char *values;    // that are valid, in words
    const char *otherwise; // what holds if it is not set, in words
    const char *value;     // what it is set to; NULL: it is not set, or to nothing
    // What holds: `value`, or `otherwise`. NULL: nothing, since calls that need it fail with
    // `error`.
    const char *effect;
    // Why the value can't be understood: MEZ_ERRC_INVALID_PARAMETER, or MEZ_ERRC_FILE for a file
    // that can't be read. The story lives as long as the list. Success if it can. Names of
    // programs, of devices and of files to be written are taken as they are, and the variables of
    // traces are read by the recorder (docs/tracing.md).
    mez_error error;
} mez_setting_info;

// Reads all variables, and the file that MEZ_DEVICE_CONFIG names. No driver is opened, and nothing
// that the library has read before changes. *settings is yours, to be given to
// mez_settings_destroy; NULL after an error.
//
// MEZ_ERRC_INVALID_PARAMETER: `settings` is NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_settings_create(mez_settings **settings);

// In the order of their names. The count is 0 for NULL. The setting is NULL if `index` is not below
// the count.
MEZ_API uint32_t mez_settings_get_count(const mez_settings *settings);
MEZ_API const mez_setting_info *mez_settings_get_setting(
    const mez_settings *settings, uint32_t index);

// Frees the list and sets *settings to NULL; *settings may be NULL.
MEZ_API void mez_settings_destroy(mez_settings **settings);

MEZ_END

#endif
