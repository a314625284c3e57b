// SPDX-License-Identifier: MIT

#include "container/offload.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "container/offload_layout.h"
#include "container/zstd.h"

typedef struct offload_writer {
    const mez_offload_entry *entries;
    size_t count;
    uint32_t version;
    bool pack;
    mez_bytes out; // the whole binary, before it is packed
} offload_writer;

static size_t header_size(const offload_writer *writer)
{
    return writer->version < 3 ? MEZ_OFFLOAD_HEADER_SIZE : MEZ_OFFLOAD_HEADER_3_SIZE;
}

static size_t string_size(const offload_writer *writer)
{
    return writer->version == 1 ? MEZ_OFFLOAD_STRING_1_SIZE : MEZ_OFFLOAD_STRING_SIZE;
}

static size_t align(size_t size)
{
    return (size + MEZ_OFFLOAD_ALIGNMENT - 1) / MEZ_OFFLOAD_ALIGNMENT * MEZ_OFFLOAD_ALIGNMENT;
}

static size_t count_strings(const offload_writer *writer)
{
    size_t count = 0;
    for (size_t i = 0; i < writer->count; i++)
        count += writer->entries[i].string_count;
    return count;
}

// Of all keys and values, with a NUL behind each.
static size_t text_size(const offload_writer *writer)
{
    size_t size = 0;
    for (size_t i = 0; i < writer->count; i++)
        for (size_t j = 0; j < writer->entries[i].string_count; j++) {
            const mez_offload_string *string = &writer->entries[i].strings[j];
            size += strlen(string->key) + 1 + string->size + 1;
        }
    return size;
}

static void write_header(offload_writer *writer, uint64_t size)
{
    mez_bytes *out = &writer->out;
    mez_bytes_add(out, MEZ_OFFLOAD_MAGIC, 4);
    mez_bytes_add_u32(out, writer->version);
    mez_bytes_add_u64(out, size);
    mez_bytes_add_u64(out, header_size(writer));
    mez_bytes_add_u64(out, writer->version == 1 ? MEZ_OFFLOAD_ENTRY_SIZE : writer->count);
    if (writer->version >= 3)
        mez_bytes_add_u64(out, 0);
}

static void write_entries(offload_writer *writer, size_t strings, size_t images)
{
    for (size_t i = 0; i < writer->count; i++) {
        const mez_offload_entry *entry = &writer->entries[i];
        mez_bytes_add_u16(&writer->out, entry->image_kind);
        mez_bytes_add_u16(&writer->out, entry->offload_kind);
        mez_bytes_add_u32(&writer->out, entry->flags);
        mez_bytes_add_u64(&writer->out, strings);
        mez_bytes_add_u64(&writer->out, entry->string_count);
        mez_bytes_add_u64(&writer->out, images);
        mez_bytes_add_u64(&writer->out, entry->image_size);
        strings += entry->string_count * string_size(writer);
        images = align(images + entry->image_size);
    }
}

static void write_string_places(offload_writer *writer, size_t text)
{
    for (size_t i = 0; i < writer->count; i++)
        for (size_t j = 0; j < writer->entries[i].string_count; j++) {
            const mez_offload_string *string = &writer->entries[i].strings[j];
            const size_t value = text + strlen(string->key) + 1;
            mez_bytes_add_u64(&writer->out, text);
            mez_bytes_add_u64(&writer->out, value);
            if (writer->version > 1)
                mez_bytes_add_u64(&writer->out, string->size);
            text = value + string->size + 1;
        }
}

static void write_text(offload_writer *writer)
{
    for (size_t i = 0; i < writer->count; i++)
        for (size_t j = 0; j < writer->entries[i].string_count; j++) {
            const mez_offload_string *string = &writer->entries[i].strings[j];
            mez_bytes_add(&writer->out, string->key, strlen(string->key) + 1);
            mez_bytes_add(&writer->out, string->value, string->size);
            mez_bytes_add_zeros(&writer->out, 1);
        }
}

static void write_images(offload_writer *writer)
{
    for (size_t i = 0; i < writer->count; i++) {
        mez_bytes_align(&writer->out, MEZ_OFFLOAD_ALIGNMENT);
        mez_bytes_add(&writer->out, writer->entries[i].image, writer->entries[i].image_size);
    }
    mez_bytes_align(&writer->out, MEZ_OFFLOAD_ALIGNMENT);
}

// Header, entries, string places, texts, images. Images are aligned, so that SPIR-V lies where it can be read word by word.
static void write_plain(offload_writer *writer)
{
    const size_t strings = header_size(writer) + writer->count * MEZ_OFFLOAD_ENTRY_SIZE;
    const size_t text = strings + count_strings(writer) * string_size(writer);
    const size_t images = align(text + text_size(writer));
    size_t size = images;
    for (size_t i = 0; i < writer->count; i++)
        size = align(size + writer->entries[i].image_size);

    write_header(writer, size);
    write_entries(writer, strings, images);
    write_string_places(writer, text);
    write_text(writer);
    write_images(writer);
}

static mez_error write_packed(const offload_writer *writer, mez_bytes *bytes)
{
    const size_t header = header_size(writer);
    mez_bytes packed = {0};
    const mez_error error =
        mez_zstd_pack(writer->out.data + header, writer->out.size - header, &packed);
    if (!mez_failed(error)) {
        mez_bytes_add(bytes, writer->out.data, 8);
        mez_bytes_add_u64(bytes, header + packed.size);
        mez_bytes_add(bytes, writer->out.data + 16, 16);
        mez_bytes_add_u64(bytes, writer->out.size);
        mez_bytes_add(bytes, packed.data, packed.size);
        mez_bytes_add_zeros(bytes, align(packed.size) - packed.size);
    }
    mez_bytes_finish(&packed);
    return error;
}

static mez_error check_strings(const offload_writer *writer)
{
    for (size_t j = 0; writer->version == 1 && j < writer->entries[0].string_count; j++) {
        const mez_offload_string *string = &writer->entries[0].strings[j];
        if (string->size && memchr(string->value, '\0', string->size))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "an offload binary of version 1 can't hold the value of \"%s\", which has a NUL",
                string->key);
    }
    return mez_ok();
}

static mez_error check(const offload_writer *writer)
{
    if (writer->version > MEZ_OFFLOAD_NEWEST)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "version %" PRIu32 " of offload binaries is not known", writer->version);
    if (writer->count == 0 || (writer->version == 1 && writer->count > 1))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "an offload binary of version %" PRIu32 " can't hold %zu images", writer->version,
            writer->count);
    if (writer->pack && writer->version < 3)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "an offload binary of version %" PRIu32 " can't be packed", writer->version);
    return check_strings(writer);
}

mez_error mez_offload_write(const mez_offload_entry *entries, size_t count,
    const mez_offload_writing *writing, mez_bytes *bytes)
{
    offload_writer writer = {
        .entries = entries,
        .count = count,
        .version = writing && writing->version ? writing->version : MEZ_OFFLOAD_NEWEST,
        .pack = writing && writing->pack,
    };
    MEZ_TRY(check(&writer));
    write_plain(&writer);
    mez_error error = mez_ok();
    if (writer.pack && !writer.out.failed)
        error = write_packed(&writer, bytes);
    else
        mez_bytes_add(bytes, writer.out.data, writer.out.size);
    if (!mez_failed(error) && (bytes->failed || writer.out.failed))
        error = mez_error_no_memory("an offload binary");
    mez_bytes_finish(&writer.out);
    return error;
}
