// SPDX-License-Identifier: MIT
//
// A Level Zero loader that is newer than Debian 12's: it has zeInitDrivers. Everything else is the real loader's, whose path is in
// MEZ_TEST_REAL_LOADER, but only once zeInitDrivers or zeInit has gone well: before that, each function ends the process with a
// message, as a real one may crash. So does zeInit, and zeDriverGet with it, the first time where zeInitDrivers has given a driver,
// for the specification lets nobody use both. What the drivers under it are is in MEZ_TEST_INIT_DRIVERS:
//   not set      all know zeInitDrivers
//   unsupported  the only one does not
//   none         none of several does
//   no-device    they know it, and have no device
//   passes-over  all but the first do
//
// Each function that the library looks up is a jump through a pointer, so that parameters pass as they are.

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ze/call.h"

typedef void loader_function(void);

__attribute__((noreturn)) static void called_out_of_turn(void)
{
    fputs("loader: called out of turn\n", stderr);
    _Exit(3);
}

#if defined(__x86_64__)
#define JUMP(name) "  jmp *real_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name)                 \
    "  adrp x16, real_" #name "\n" \
    "  ldr x16, [x16, :lo12:real_" #name "]\n  br x16\n"
#endif

#define TRAMPOLINE(name)                                                                     \
    __attribute__((visibility("hidden"))) loader_function *real_##name = called_out_of_turn; \
    __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" JUMP(name));
MEZ_ZE_FUNCTIONS(TRAMPOLINE)

static void *real_loader;
static bool init_went_well, has_given_drivers;

static bool drivers_are(const char *what)
{
    const char *answer = getenv("MEZ_TEST_INIT_DRIVERS");
    return answer && strcmp(answer, what) == 0;
}

static ze_result_t init_real_loader(void)
{
    real_loader = dlopen(getenv("MEZ_TEST_REAL_LOADER"), RTLD_NOW | RTLD_LOCAL);
    if (!real_loader)
        return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
    ze_result_t (*init)(ze_init_flags_t) = NULL;
    *(void **)&init = dlsym(real_loader, "zeInit");
    return init(0);
}

// The real loader can be initialised once, and must not be asked for anything if that has failed.
static ze_result_t init_once(void)
{
    static ze_result_t result;
    if (real_loader)
        return result;
    result = init_real_loader();
    return result;
}

static ze_result_t get_drivers(uint32_t *count, ze_driver_handle_t *drivers)
{
    ze_result_t (*get)(uint32_t *, ze_driver_handle_t *) = NULL;
    *(void **)&get = dlsym(real_loader, "zeDriverGet");
    return get(count, drivers);
}

static ze_result_t init(ze_init_flags_t flags);

__attribute__((constructor)) static void set_init(void)
{
    real_zeInit = (loader_function *)init;
}

static void connect_functions(void)
{
#define CONNECT(name) *(void **)&real_##name = dlsym(real_loader, #name);
    MEZ_ZE_FUNCTIONS(CONNECT)
#undef CONNECT
    set_init();
}

static ze_result_t init(ze_init_flags_t flags)
{
    (void)flags;
    if (has_given_drivers && !init_went_well)
        called_out_of_turn();
    const ze_result_t result =
        drivers_are("no-device") ? ZE_RESULT_ERROR_UNINITIALIZED : init_once();
    printf("zeInit: 0x%x\n", (unsigned)result);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    init_went_well = true;
    connect_functions();
    return result;
}

static ze_result_t init_drivers(void)
{
    if (drivers_are("unsupported"))
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    return drivers_are("none") ? ZE_RESULT_ERROR_UNINITIALIZED : init_once();
}

static ze_result_t pass_over_first(uint32_t *count, ze_driver_handle_t *drivers)
{
    ze_driver_handle_t all[16];
    uint32_t total = 16;
    const ze_result_t result = get_drivers(&total, all);
    const uint32_t given = total > 0 ? total - 1 : 0;
    for (uint32_t i = 0; drivers && i < given && i < *count; i++)
        drivers[i] = all[i + 1];
    *count = given;
    return result;
}

static ze_result_t give_drivers(uint32_t *count, ze_driver_handle_t *drivers)
{
    if (drivers_are("no-device"))
        return *count = 0, ZE_RESULT_SUCCESS;
    has_given_drivers = true;
    connect_functions();
    if (!init_went_well)
        real_zeDriverGet = called_out_of_turn; // zeInitDrivers has taken its place
    return drivers_are("passes-over") ? pass_over_first(count, drivers)
                                      : get_drivers(count, drivers);
}

// Newer headers declare it with a type of theirs.
__attribute__((visibility("default"))) ze_result_t newer_init_drivers(uint32_t *count,
    ze_driver_handle_t *drivers,
    const ze_newer_init_driver_type_desc_t *desc) __asm__("zeInitDrivers");

ze_result_t newer_init_drivers(
    uint32_t *count, ze_driver_handle_t *drivers, const ze_newer_init_driver_type_desc_t *desc)
{
    if (desc->stype != ZE_NEWER_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC || desc->flags == 0)
        return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const ze_result_t result = init_drivers();
    printf("zeInitDrivers: 0x%x\n", (unsigned)result);
    return result == ZE_RESULT_SUCCESS ? give_drivers(count, drivers) : result;
}

// Debian's loader can be initialised once: the next time it must be a new one.
__attribute__((destructor)) static void close_real_loader(void)
{
    if (real_loader)
        dlclose(real_loader);
}
