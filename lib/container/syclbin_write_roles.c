// SPDX-License-Identifier: MIT
//
// Writing SYCLBIN's second version: an OffloadBinary whose entries have roles.

#include "container/syclbin_write.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "container/syclbin_layout.h"

enum { MOST_STRINGS = 5 };

typedef struct role {
    mez_offload_string strings[MOST_STRINGS];
    char module[24];
    mez_bytes image;
} role;

typedef struct second_form {
    mez_offload_entry *entries;
    role *roles;
    size_t count;
} second_form;

static void add_string(mez_offload_entry *entry, const char *key, const char *value)
{
    entry->strings[entry->string_count++] =
        (mez_offload_string){.key = key, .value = value, .size = strlen(value)};
}

// Its image is filled by the caller.
static role *add_role(second_form *form, const char *name)
{
    role *added = &form->roles[form->count];
    mez_offload_entry *entry = &form->entries[form->count++];
    *entry = (mez_offload_entry){
        .image_kind = MEZ_OFFLOAD_SYCLBIN,
        .offload_kind = MEZ_OFFLOAD_SYCL,
        .strings = added->strings,
    };
    add_string(entry, MEZ_SYCLBIN_KEY_VERSION, "2");
    add_string(entry, MEZ_SYCLBIN_KEY_ROLE, name);
    return added;
}

static role *add_module_role(second_form *form, const char *name, size_t module)
{
    role *added = add_role(form, name);
    snprintf(added->module, sizeof added->module, "%zu", module);
    add_string(&form->entries[form->count - 1], MEZ_SYCLBIN_KEY_MODULE, added->module);
    return added;
}

static void add_image_role(second_form *form, const mez_syclbin_written_image *image, size_t module)
{
    const mez_binary *binary = image->binary;
    role *added = add_module_role(
        form, image->native ? MEZ_SYCLBIN_ROLE_NATIVE : MEZ_SYCLBIN_ROLE_IR, module);
    mez_offload_entry *entry = &form->entries[form->count - 1];
    add_string(entry, image->native ? MEZ_KEY_ARCH : MEZ_SYCLBIN_KEY_IR_TYPE,
        image->native ? binary->arch : "0");
    add_string(entry, MEZ_KEY_TRIPLE, binary->target);
    mez_bytes_add_u64(&added->image, image->metadata.size);
    mez_bytes_append(&added->image, &image->metadata);
    mez_bytes_add(&added->image, binary->code, binary->code_size);
}

static void add_roles(const mez_syclbin_writer *writer, second_form *form)
{
    mez_bytes_append(&add_role(form, MEZ_SYCLBIN_ROLE_GLOBAL)->image, &writer->global);
    for (size_t i = 0; i < writer->module_count; i++) {
        const mez_syclbin_written_module *module = &writer->modules[i];
        mez_bytes_append(
            &add_module_role(form, MEZ_SYCLBIN_ROLE_MODULE, i)->image, &module->metadata);
        for (size_t j = 0; j < module->count; j++)
            add_image_role(form, &writer->images[module->first + j], i);
    }
}

static mez_error write_roles(const mez_syclbin_writer *writer, second_form *form, mez_bytes *bytes)
{
    if (!form->entries || !form->roles)
        return mez_error_no_memory("a SYCLBIN");
    add_roles(writer, form);
    for (size_t i = 0; i < form->count; i++) {
        form->entries[i].image = form->roles[i].image.data;
        form->entries[i].image_size = form->roles[i].image.size;
        if (form->roles[i].image.failed)
            return mez_error_no_memory("a SYCLBIN");
    }
    return mez_offload_write(form->entries, form->count, NULL, bytes);
}

mez_error mez_syclbin_write_roles(const mez_syclbin_writer *writer, mez_bytes *bytes)
{
    const size_t count = 1 + writer->module_count + writer->bundle->count;
    second_form form = {
        .entries = mez_alloc_array(count, sizeof *form.entries),
        .roles = mez_alloc_array(count, sizeof *form.roles),
    };
    const mez_error error = write_roles(writer, &form, bytes);
    for (size_t i = 0; i < form.count; i++)
        mez_bytes_finish(&form.roles[i].image);
    mez_free_memory(form.entries);
    mez_free_memory(form.roles);
    return error;
}
