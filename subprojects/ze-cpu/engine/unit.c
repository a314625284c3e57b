// SPDX-License-Identifier: MIT
//
// Units: native binaries and their variables.

#include "unit.h"
#include "build.h"
#include "identity.h"

#include <stdlib.h>

struct zc_unit *zc_unit_ref(struct zc_unit *unit)
{
    atomic_fetch_add(&unit->references, 1);
    return unit;
}

void zc_unit_unref(struct zc_unit *unit)
{
    if (unit == NULL || atomic_fetch_sub(&unit->references, 1) != 1)
        return;
    zc_jit_close(unit->jit);
    zc_native_finish(&unit->native);
    free(unit->addresses);
    free(unit->bytes);
    free(unit);
}

static enum zc_build_result read(struct zc_log *log, struct zc_unit *unit, const char *device)
{
    const char *fault = zc_native_read(unit->bytes, unit->size, &unit->native);
    if (fault == NULL)
        return zc_identity_check(log, &unit->native, device) ? ZC_BUILD_OK : ZC_BUILD_NOT_NATIVE;
    zc_log_add(log, "error: this native binary cannot be used: %s", fault);
    return fault == ZC_READ_NO_MEMORY ? ZC_BUILD_OUT_OF_MEMORY : ZC_BUILD_NOT_NATIVE;
}

// Under the names by which variables.c defines them.
static bool collect_names(struct zc_symbols *names, const struct zc_native *native)
{
    bool ok = zc_symbols_init(names, native->variable_count);
    for (uint32_t i = 0; ok && i < native->variable_count; i++)
        ok = zc_symbols_add(names, ZC_USER_PREFIX, native->variables[i].name, NULL);
    return ok;
}

static bool load_variables(struct zc_log *log, struct zc_unit *unit)
{
    const struct zc_native *native = &unit->native;
    if (native->variable_count == 0)
        return true;
    struct zc_symbols names = {0};
    unit->addresses = calloc(native->variable_count, sizeof(*unit->addresses));
    const struct zc_jit_request request = {.object = native->data, .wanted = &names};
    const bool ok = unit->addresses != NULL && collect_names(&names, native) &&
                    zc_jit_load(log, &request, &unit->jit);
    for (uint32_t i = 0; ok && i < native->variable_count; i++)
        unit->addresses[i] = names.list[i].address;
    zc_symbols_finish(&names);
    return ok;
}

enum zc_build_result zc_unit_create(
    struct zc_log *log, void *bytes, size_t size, const char *device, struct zc_unit **unit)
{
    *unit = NULL;
    struct zc_unit *new = calloc(1, sizeof(*new));
    if (new == NULL) {
        free(bytes);
        return ZC_BUILD_OUT_OF_MEMORY;
    }
    atomic_init(&new->references, 1);
    new->bytes = bytes;
    new->size = size;
    enum zc_build_result result = read(log, new, device);
    if (result == ZC_BUILD_OK && !load_variables(log, new))
        result = ZC_BUILD_FAILED;
    if (result != ZC_BUILD_OK)
        zc_unit_unref(new);
    else
        *unit = new;
    return result;
}
