// SPDX-License-Identifier: MIT
//
// OffloadBinary as it stands in bytes.

#include "container/offload.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/zstd.h"

// --- Reading

bool mez_offload_recognise(const void *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, MEZ_OFFLOAD_MAGIC, 4) == 0;
}

const mez_offload_string *mez_offload_find(const mez_offload_entry *entry, const char *key)
{
    for (size_t i = 0; i < entry->string_count; i++)
        if (strcmp(entry->strings[i].key, key) == 0)
            return &entry->strings[i];
    return NULL;
}

void mez_offload_finish(mez_offload *offload)
{
    for (size_t i = 0; i < offload->count; i++)
        mez_free_memory(offload->entries[i].strings);
    mez_free_memory(offload->entries);
    *offload = (mez_offload){0};
}

// --- The header

typedef struct offload_header {
    uint32_t version;
    uint64_t size;
    uint64_t entries;
    uint64_t count;
    uint64_t unpacked_size;
} offload_header;

static mez_error read_header(const mez_container_bytes *span, offload_header *header)
{
    if (span->size < MEZ_OFFLOAD_HEADER_SIZE)
        return mez_bundle_damaged(
            span, span->size, "an offload binary that ends within its header");
    const uint8_t *bytes = span->bytes;
    *header = (offload_header){
        .version = mez_read_u32(bytes + 4),
        .size = mez_read_u64(bytes + 8),
        .entries = mez_read_u64(bytes + 16),
        .count = mez_read_u64(bytes + 24),
    };
    if (header->version == 0 || header->version > MEZ_OFFLOAD_NEWEST)
        return mez_bundle_damaged(span, 4,
            "an offload binary of version %" PRIu32 ": versions 1 to %d are supported",
            header->version, MEZ_OFFLOAD_NEWEST);
    if (header->version == 1)
        header->count = 1;
    if (header->size < MEZ_OFFLOAD_HEADER_SIZE || header->size > span->size)
        return mez_bundle_damaged(span, 8,
            "an offload binary of %" PRIu64 " bytes, of which %zu are there", header->size,
            span->size);
    if (header->version < 3)
        return mez_ok();
    if (header->size < MEZ_OFFLOAD_HEADER_3_SIZE)
        return mez_bundle_damaged(span, 8, "an offload binary that ends within its header");
    header->unpacked_size = mez_read_u64(bytes + 32);
    return mez_ok();
}

// --- Entries

typedef struct offload_reader {
    mez_bundle *bundle;
    mez_container_bytes span; // of one binary, as if it had never been packed
    offload_header header;
} offload_reader;

static mez_error read_key(const offload_reader *reader, uint64_t offset, const char **key)
{
    const mez_container_bytes *span = &reader->span;
    const uint8_t *end =
        offset < span->size ? memchr(span->bytes + offset, '\0', span->size - offset) : NULL;
    if (!end)
        return mez_bundle_damaged(span, offset, "a string that does not end");
    *key = (const char *)span->bytes + offset;
    return mez_bundle_pay(reader->bundle, span, (size_t)(end - span->bytes - offset));
}

static mez_error read_value(
    const offload_reader *reader, const uint8_t *at, mez_offload_string *string)
{
    const uint64_t offset = mez_read_u64(at + 8);
    const char *value = NULL;
    if (reader->header.version == 1) {
        MEZ_TRY(read_key(reader, offset, &value));
        string->value = value;
        string->size = strlen(value);
        return mez_ok();
    }
    const uint64_t size = mez_read_u64(at + 16);
    if (!mez_range_fits(offset, size, reader->span.size))
        return mez_bundle_damaged(&reader->span, (uint64_t)(at - reader->span.bytes),
            "the value of \"%s\" lies outside, at %" PRIu64 " with %" PRIu64 " bytes", string->key,
            offset, size);
    string->value = reader->span.bytes + offset;
    string->size = (size_t)size;
    return mez_ok();
}

static mez_error read_strings(
    const offload_reader *reader, const uint8_t *at, mez_offload_entry *entry)
{
    const mez_container_bytes *span = &reader->span;
    const uint64_t offset = mez_read_u64(at + 8), count = mez_read_u64(at + 16);
    const size_t item =
        reader->header.version == 1 ? MEZ_OFFLOAD_STRING_1_SIZE : MEZ_OFFLOAD_STRING_SIZE;
    if (count > span->size / item || !mez_range_fits(offset, count * item, span->size))
        return mez_bundle_damaged(span, (uint64_t)(at - span->bytes) + 8,
            "%" PRIu64 " strings at %" PRIu64 ", outside of the binary", count, offset);
    MEZ_TRY(mez_bundle_pay(reader->bundle, span, (size_t)count * sizeof *entry->strings));
    entry->strings = mez_alloc_array(count ? (size_t)count : 1, sizeof *entry->strings);
    if (!entry->strings)
        return mez_error_no_memory("an offload binary's strings");
    entry->string_count = (size_t)count;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *string = span->bytes + offset + i * item;
        MEZ_TRY(read_key(reader, mez_read_u64(string), &entry->strings[i].key));
        MEZ_TRY(read_value(reader, string, &entry->strings[i]));
    }
    return mez_ok();
}

static mez_error read_entry(
    const offload_reader *reader, const uint8_t *at, mez_offload_entry *entry)
{
    const mez_container_bytes *span = &reader->span;
    entry->image_kind = mez_read_u16(at);
    entry->offload_kind = mez_read_u16(at + 2);
    entry->flags = mez_read_u32(at + 4);
    const uint64_t offset = mez_read_u64(at + 24), size = mez_read_u64(at + 32);
    if (!mez_range_fits(offset, size, span->size))
        return mez_bundle_damaged(span, (uint64_t)(at - span->bytes) + 24,
            "an image at %" PRIu64 " with %" PRIu64 " bytes, outside of the binary", offset, size);
    entry->image = span->bytes + offset;
    entry->image_size = (size_t)size;
    return read_strings(reader, at, entry);
}

static mez_error read_entries(const offload_reader *reader, mez_offload *offload)
{
    const mez_container_bytes *span = &reader->span;
    const uint64_t count = reader->header.count;
    if (count == 0 || count > span->size / MEZ_OFFLOAD_ENTRY_SIZE ||
        !mez_range_fits(reader->header.entries, count * MEZ_OFFLOAD_ENTRY_SIZE, span->size))
        return mez_bundle_damaged(span, 16,
            "%" PRIu64 " entries at %" PRIu64 ", but the binary has %zu bytes", count,
            reader->header.entries, span->size);
    MEZ_TRY(mez_bundle_pay(reader->bundle, span, (size_t)count * sizeof *offload->entries));
    offload->entries = mez_alloc_array((size_t)count, sizeof *offload->entries);
    if (!offload->entries)
        return mez_error_no_memory("an offload binary's entries");
    offload->count = (size_t)count;
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(
            read_entry(reader, span->bytes + reader->header.entries + i * MEZ_OFFLOAD_ENTRY_SIZE,
                &offload->entries[i]));
    return mez_ok();
}

// --- Packed ones

// Offsets count from the header, as if nothing had been packed, so header and contents are put together again.
static mez_error put_together(offload_reader *reader, const mez_container_bytes *contents)
{
    const size_t start = (size_t)reader->header.entries;
    mez_bytes whole = {0};
    mez_bytes_add(&whole, reader->span.bytes, start);
    mez_bytes_add(&whole, contents->bytes, contents->size);
    if (whole.failed) {
        mez_bytes_finish(&whole);
        return mez_error_no_memory("an unpacked offload binary");
    }
    MEZ_TRY(mez_bundle_keep(reader->bundle, whole.data));
    reader->span.bytes = whole.data;
    reader->span.size = whole.size;
    return mez_ok();
}

static mez_error unpack(offload_reader *reader)
{
    const uint64_t start = reader->header.entries, unpacked_size = reader->header.unpacked_size;
    if (start < MEZ_OFFLOAD_HEADER_3_SIZE || start > reader->span.size || unpacked_size < start)
        return mez_bundle_damaged(&reader->span, 16,
            "packed entries at %" PRIu64 ", but the binary has %zu bytes", start,
            reader->span.size);
    mez_container_bytes packed = reader->span, contents;
    packed.bytes += start;
    packed.size -= (size_t)start;
    if (!mez_zstd_recognise(packed.bytes, packed.size))
        return mez_bundle_damaged(
            &reader->span, start, "entries that are packed by something else than zstd");
    MEZ_TRY(mez_bundle_unpack(reader->bundle, &packed, &contents));
    if (contents.size != unpacked_size - start)
        return mez_bundle_damaged(&reader->span, 32,
            "entries that unpack to %zu bytes, but %" PRIu64 " are announced", contents.size,
            unpacked_size - start);
    return put_together(reader, &contents);
}

mez_error mez_offload_read(
    mez_bundle *bundle, const mez_container_bytes *span, mez_offload *offload)
{
    *offload = (mez_offload){0};
    offload_reader reader = {.bundle = bundle, .span = *span};
    MEZ_TRY(read_header(span, &reader.header));
    reader.span.size = (size_t)reader.header.size;
    if (reader.header.unpacked_size != 0)
        MEZ_TRY(unpack(&reader));
    offload->version = reader.header.version;
    offload->size = (size_t)reader.header.size;
    const mez_error error = read_entries(&reader, offload);
    if (mez_failed(error))
        mez_offload_finish(offload);
    return error;
}

// --- Writing

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
