// SPDX-License-Identifier: MIT
//
// A Level Zero loader that is newer than Debian's: it has zeInitDrivers. Everything else is the real loader's, whose path is in
// MEZ_TEST_REAL_LOADER, but only once zeInitDrivers has gone well: before that, each function ends the process with a message,
// as a real one may crash.
//
// Each function that the library looks up is a jump through a pointer, so that parameters pass as they are.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "ze/functions.h"
#include "ze/newer.h"

typedef void loader_function(void);

__attribute__((noreturn)) static void called_too_early(void)
{
    fputs("loader: called before it was initialised\n", stderr);
    _Exit(3);
}

#if defined(__x86_64__)
#define JUMP(name) "  jmp *real_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name)                 \
    "  adrp x16, real_" #name "\n" \
    "  ldr x16, [x16, :lo12:real_" #name "]\n  br x16\n"
#endif

#define TRAMPOLINE(name)                                                                   \
    __attribute__((visibility("hidden"))) loader_function *real_##name = called_too_early; \
    __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" JUMP(name));
MEZ_ZE_FUNCTIONS(TRAMPOLINE)

static void *real_loader;

static ze_result_t init_real_loader(void)
{
    real_loader = dlopen(getenv("MEZ_TEST_REAL_LOADER"), RTLD_NOW | RTLD_LOCAL);
    if (!real_loader)
        return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
    ze_result_t (*init)(ze_init_flags_t) = NULL;
    *(void **)&init = dlsym(real_loader, "zeInit");
    return init(0);
}

static ze_result_t init_once(void)
{
    const ze_result_t result = init_real_loader();
    if (result != ZE_RESULT_SUCCESS)
        return result;
#define CONNECT(name) *(void **)&real_##name = dlsym(real_loader, #name);
    MEZ_ZE_FUNCTIONS(CONNECT)
#undef CONNECT
    real_zeInit = real_zeDriverGet = called_too_early; // zeInitDrivers has taken their place
    return ZE_RESULT_SUCCESS;
}

__attribute__((visibility("default"))) ze_result_t zeInitDrivers(
    uint32_t *count, ze_driver_handle_t *drivers, const mez_ze_init_drivers_desc *desc);

ze_result_t zeInitDrivers(
    uint32_t *count, ze_driver_handle_t *drivers, const mez_ze_init_drivers_desc *desc)
{
    if (desc->stype != MEZ_ZE_STRUCTURE_TYPE_INIT_DRIVERS || desc->flags == 0)
        return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const ze_result_t result = real_loader ? ZE_RESULT_SUCCESS : init_once();
    printf("zeInitDrivers: 0x%x\n", (unsigned)result);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    if (getenv("MEZ_TEST_NO_DRIVER")) {
        *count = 0;
        return ZE_RESULT_SUCCESS;
    }
    ze_result_t (*get)(uint32_t *, ze_driver_handle_t *) = NULL;
    *(void **)&get = dlsym(real_loader, "zeDriverGet");
    return get(count, drivers);
}

// Debian's loader can be initialised once: the next time it must be a new one.
__attribute__((destructor)) static void close_real_loader(void)
{
    if (real_loader)
        dlclose(real_loader);
}
