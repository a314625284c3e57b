// SPDX-License-Identifier: MIT

#include "ze/tables.h"

#include <dlfcn.h>
#include <string.h>

// Some drivers give their tables only to those that know as much as they, and nothing to those of another major version.
#define NEWEST_API ((ze_api_version_t)ZE_MAKE_VERSION(1, 99))

static bool read_table(void *library, const char *getter, mez_driver_table *table)
{
    ze_result_t (*get)(ze_api_version_t version, void *table);
    *(void **)&get = dlsym(library, getter);
    memset(table, 0, sizeof *table);
    return get && get(NEWEST_API, table) == ZE_RESULT_SUCCESS;
}

mez_error mez_driver_tables_read(void *library, const char *name, mez_driver_tables *tables)
{
    if (read_table(library, "zeGetGlobalProcAddrTable", &tables->global) &&
        read_table(library, "zeGetDriverProcAddrTable", &tables->driver) &&
        read_table(library, "zeGetDeviceProcAddrTable", &tables->device) &&
        tables->global.global.pfnInit && tables->driver.driver.pfnGet &&
        tables->device.device.pfnGet && tables->device.device.pfnGetProperties)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_PLATFORM, "%s does not give its functions", name);
}
