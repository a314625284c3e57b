// SPDX-License-Identifier: MIT
//
// What we use of Level Zero beyond the 1.4 headers of Debian 12, under our own names so that newer headers do not collide.
// Functions are found by name in the loader, else through zeDriverGetExtensionFunctionAddress; NULL: this driver has none.

#ifndef MEZ_ZE_NEWER_H
#define MEZ_ZE_NEWER_H

#include <level_zero/ze_api.h>

// ZE_COMMAND_QUEUE_FLAG_IN_ORDER, specification 1.7. Drivers before it ignore the bit without a word.
#define MEZ_ZE_COMMAND_QUEUE_FLAG_IN_ORDER (1u << 1)

// What of a device's memory is free: extension of ze_device_properties_t, specification 1.15.
#define MEZ_ZE_USABLE_MEMORY_NAME "ZE_extension_device_usablemem_size_properties"
#define MEZ_ZE_STRUCTURE_TYPE_USABLE_MEMORY ((ze_structure_type_t)0x00020041)
typedef struct mez_ze_usable_memory {
    ze_structure_type_t stype;
    void *next;
    uint64_t bytes;
} mez_ze_usable_memory;

typedef struct mez_ze_newer_functions {
    // Specification 1.6: waits for everything in an immediate list.
    ze_result_t (*zeCommandListHostSynchronize)(ze_command_list_handle_t list, uint64_t timeout);
} mez_ze_newer_functions;

#endif
