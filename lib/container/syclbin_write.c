// SPDX-License-Identifier: MIT
//
// Writing SYCLBIN, either version.

#include "container/syclbin.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "container/properties.h"

typedef struct written_image {
    const mez_binary *binary;
    mez_bytes metadata;
    bool native;
} written_image;

typedef struct written_module {
    mez_bytes metadata;
    size_t first, count; // of its images
} written_module;

typedef struct syclbin_writer {
    const mez_bundle *bundle;
    mez_bytes global;
    written_module *modules; // as many at most as there are images
    size_t module_count;
    written_image *images; // as many as the bundle has binaries
} syclbin_writer;

// --- Version 1: headers and two tables

typedef struct first_form {
    mez_bytes modules, ir, native; // headers
    mez_bytes metadata, code;      // tables
    uint32_t ir_count, native_count;
} first_form;

// What is added to the table, and to the header where it is and how large.
static void add_part(mez_bytes *header, mez_bytes *table, const void *data, size_t size)
{
    mez_bytes_align(table, MEZ_SYCLBIN_ALIGNMENT);
    mez_bytes_add_u64(header, table->size);
    mez_bytes_add_u64(header, size);
    mez_bytes_add(table, data, size);
}

static void add_image(first_form *form, const written_image *image)
{
    mez_bytes *header = image->native ? &form->native : &form->ir;
    add_part(header, &form->metadata, image->metadata.data, image->metadata.size);
    add_part(header, &form->code, image->binary->code, image->binary->code_size);
    form->native_count += image->native;
    form->ir_count += !image->native;
}

static void add_module(first_form *form, const written_module *module, const written_image *images)
{
    const uint32_t first_ir = form->ir_count, first_native = form->native_count;
    add_part(&form->modules, &form->metadata, module->metadata.data, module->metadata.size);
    for (size_t i = 0; i < module->count; i++)
        add_image(form, &images[module->first + i]);
    mez_bytes_add_u32(&form->modules, form->ir_count - first_ir);
    mez_bytes_add_u32(&form->modules, first_ir);
    mez_bytes_add_u32(&form->modules, form->native_count - first_native);
    mez_bytes_add_u32(&form->modules, first_native);
}

static void put_together(
    const syclbin_writer *writer, const first_form *form, const mez_bytes *global, mez_bytes *bytes)
{
    mez_bytes_add_u32(bytes, MEZ_SYCLBIN_MAGIC);
    mez_bytes_add_u32(bytes, 1);
    mez_bytes_add_u32(bytes, (uint32_t)writer->module_count);
    mez_bytes_add_u32(bytes, form->ir_count);
    mez_bytes_add_u32(bytes, form->native_count);
    mez_bytes_add_u32(bytes, 0);
    mez_bytes_add_u64(bytes, form->metadata.size);
    mez_bytes_add_u64(bytes, form->code.size);
    mez_bytes_append(bytes, global);
    mez_bytes_append(bytes, &form->modules);
    mez_bytes_append(bytes, &form->ir);
    mez_bytes_append(bytes, &form->native);
    mez_bytes_append(bytes, &form->metadata);
    mez_bytes_align(bytes, MEZ_SYCLBIN_ALIGNMENT);
    mez_bytes_append(bytes, &form->code);
}

// Version 1, by itself or in an OffloadBinary.
static mez_error write_tables(const syclbin_writer *writer, mez_bytes *bytes)
{
    first_form form = {0};
    mez_bytes global = {0};
    add_part(&global, &form.metadata, writer->global.data, writer->global.size);
    for (size_t i = 0; i < writer->module_count; i++)
        add_module(&form, &writer->modules[i], writer->images);
    put_together(writer, &form, &global, bytes);
    mez_bytes_finish(&global);
    mez_bytes_finish(&form.modules);
    mez_bytes_finish(&form.ir);
    mez_bytes_finish(&form.native);
    mez_bytes_finish(&form.metadata);
    mez_bytes_finish(&form.code);
    return bytes->failed ? mez_error_no_memory("a SYCLBIN") : mez_ok();
}

static mez_error write_wrapped(const syclbin_writer *writer, mez_bytes *bytes)
{
    mez_bytes image = {0};
    mez_error error = write_tables(writer, &image);
    const mez_offload_entry entry = {
        .image_kind = MEZ_OFFLOAD_SYCLBIN,
        .offload_kind = MEZ_OFFLOAD_SYCL,
        .image = image.data,
        .image_size = image.size,
    };
    if (!mez_failed(error))
        error = mez_offload_write(&entry, 1, &(const mez_offload_writing){.version = 1}, bytes);
    mez_bytes_finish(&image);
    return error;
}

// --- Version 2: an OffloadBinary whose entries have roles

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

static void add_image_role(second_form *form, const written_image *image, size_t module)
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

static void add_roles(const syclbin_writer *writer, second_form *form)
{
    mez_bytes_append(&add_role(form, MEZ_SYCLBIN_ROLE_GLOBAL)->image, &writer->global);
    for (size_t i = 0; i < writer->module_count; i++) {
        const written_module *module = &writer->modules[i];
        mez_bytes_append(
            &add_module_role(form, MEZ_SYCLBIN_ROLE_MODULE, i)->image, &module->metadata);
        for (size_t j = 0; j < module->count; j++)
            add_image_role(form, &writer->images[module->first + j], i);
    }
}

static mez_error write_roles(const syclbin_writer *writer, second_form *form, mez_bytes *bytes)
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

// Version 2.
static mez_error write_second_form(const syclbin_writer *writer, mez_bytes *bytes)
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

// --- Either version

#define OWN_SETS "SYCLBIN/"

// --- Metadata

static mez_error write_text(mez_error error, mez_properties *properties, mez_bytes *text)
{
    if (!mez_failed(error))
        error = mez_prop_write(properties, text);
    mez_properties_finish(properties);
    return error;
}

static mez_error collect_global(const mez_bundle *bundle, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_all(properties, &bundle->properties, NULL));
    if (mez_properties_find(properties, MEZ_SET_SYCLBIN_GLOBAL, MEZ_SYCLBIN_STATE))
        return mez_ok();
    return mez_properties_add_number(
        properties, MEZ_SET_SYCLBIN_GLOBAL, MEZ_SYCLBIN_STATE, MEZ_SYCLBIN_INPUT);
}

static mez_error add_kernel_names(const mez_binary *binary, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_set(properties, MEZ_SET_KERNEL_NAMES));
    for (size_t i = 0; i < binary->kernel_count; i++)
        MEZ_TRY(mez_properties_add_number(properties, MEZ_SET_KERNEL_NAMES, binary->kernels[i], 1));
    return mez_ok();
}

// The binary's sets, without those that are about its own form of the code.
static mez_error collect_module(const mez_binary *binary, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_all(properties, &binary->properties, NULL));
    for (size_t i = properties->count; i > 0; i--) {
        const char *name = properties->items[i - 1].name;
        if (strncmp(name, OWN_SETS, sizeof OWN_SETS - 1) == 0)
            mez_properties_remove_set(properties, name);
    }
    const bool named = mez_properties_find_set(properties, MEZ_SET_KERNEL_NAMES);
    return binary->lists_kernels && !named ? add_kernel_names(binary, properties) : mez_ok();
}

static mez_error collect_image(const written_image *image, mez_properties *properties)
{
    const mez_binary *binary = image->binary;
    const char *set = image->native ? MEZ_SET_SYCLBIN_NATIVE : MEZ_SET_SYCLBIN_IR;
    MEZ_TRY(mez_properties_add_all(properties, &binary->properties, set));
    if (mez_properties_find_set(properties, set))
        return mez_ok();
    if (image->native)
        MEZ_TRY(mez_properties_add_text(properties, set, MEZ_SYCLBIN_ARCH, binary->arch));
    else
        MEZ_TRY(mez_properties_add_number(properties, set, MEZ_SYCLBIN_TYPE, MEZ_SYCLBIN_IR_SPIRV));
    return mez_properties_add_text(properties, set, MEZ_SYCLBIN_TARGET, binary->target);
}

// --- Modules and images

static mez_error check(const mez_binary *binary)
{
    const bool usable = binary->format == MEZ_CODE_SPIRV || binary->format == MEZ_CODE_NATIVE;
    if (usable && !binary->packed)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s: SYCLBIN can't hold it: it is %s%s",
        binary->source, binary->packed ? "packed " : "", mez_code_format_name(binary->format));
}

static mez_error write_module(syclbin_writer *writer, size_t first)
{
    written_module *module = &writer->modules[writer->module_count++];
    module->first = first;
    mez_properties properties = {0};
    const mez_error error = collect_module(&writer->bundle->binaries[first], &properties);
    return write_text(error, &properties, &module->metadata);
}

static mez_error write_image(syclbin_writer *writer, size_t i)
{
    const mez_binary *binary = &writer->bundle->binaries[i];
    MEZ_TRY(check(binary));
    if (i == 0 || binary->module != binary[-1].module)
        MEZ_TRY(write_module(writer, i));
    writer->modules[writer->module_count - 1].count++;
    written_image *image = &writer->images[i];
    *image = (written_image){
        .binary = binary,
        .native = binary->format == MEZ_CODE_NATIVE,
    };
    mez_properties properties = {0};
    const mez_error error = collect_image(image, &properties);
    return write_text(error, &properties, &image->metadata);
}

static mez_error write_metadata(syclbin_writer *writer)
{
    mez_properties properties = {0};
    const mez_error error = collect_global(writer->bundle, &properties);
    MEZ_TRY(write_text(error, &properties, &writer->global));
    for (size_t i = 0; i < writer->bundle->count; i++)
        MEZ_TRY(write_image(writer, i));
    return mez_ok();
}

// --- All of it

static mez_error write_form(const syclbin_writer *writer, mez_syclbin_form form, mez_bytes *bytes)
{
    switch (form) {
    case MEZ_SYCLBIN_2:
        return write_second_form(writer, bytes);
    case MEZ_SYCLBIN_1_BARE:
        return write_tables(writer, bytes);
    default:
        return write_wrapped(writer, bytes);
    }
}

static void finish(syclbin_writer *writer)
{
    for (size_t i = 0; i < writer->module_count; i++)
        mez_bytes_finish(&writer->modules[i].metadata);
    for (size_t i = 0; writer->images && i < writer->bundle->count; i++)
        mez_bytes_finish(&writer->images[i].metadata);
    mez_free_memory(writer->modules);
    mez_free_memory(writer->images);
    mez_bytes_finish(&writer->global);
}

mez_error mez_bundle_write_syclbin(
    const mez_bundle *bundle, mez_syclbin_form form, mez_bytes *bytes)
{
    const size_t count = bundle->count ? bundle->count : 1;
    syclbin_writer writer = {
        .bundle = bundle,
        .modules = mez_alloc_array(count, sizeof *writer.modules),
        .images = mez_alloc_array(count, sizeof *writer.images),
    };
    mez_error error = writer.modules && writer.images ? write_metadata(&writer)
                                                      : mez_error_no_memory("a SYCLBIN");
    if (!mez_failed(error))
        error = write_form(&writer, form, bytes);
    finish(&writer);
    return error;
}
