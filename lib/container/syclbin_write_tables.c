// SPDX-License-Identifier: MIT
//
// Writing SYCLBIN's first version: headers and two tables.

#include "container/syclbin_write.h"

#include "container/syclbin_layout.h"

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

static void add_image(first_form *form, const mez_syclbin_written_image *image)
{
    mez_bytes *header = image->native ? &form->native : &form->ir;
    add_part(header, &form->metadata, image->metadata.data, image->metadata.size);
    add_part(header, &form->code, image->binary->code, image->binary->code_size);
    form->native_count += image->native;
    form->ir_count += !image->native;
}

static void add_module(first_form *form, const mez_syclbin_written_module *module,
    const mez_syclbin_written_image *images)
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

static void put_together(const mez_syclbin_writer *writer, const first_form *form,
    const mez_bytes *global, mez_bytes *bytes)
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

mez_error mez_syclbin_write_tables(const mez_syclbin_writer *writer, mez_bytes *bytes)
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

mez_error mez_syclbin_write_wrapped(const mez_syclbin_writer *writer, mez_bytes *bytes)
{
    mez_bytes image = {0};
    mez_error error = mez_syclbin_write_tables(writer, &image);
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
