// SPDX-License-Identifier: MIT
//
// SYCLBIN's second version: an OffloadBinary whose entries have roles.

#include "container/syclbin.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "container/bits.h"
#include "container/syclbin_image.h"
#include "container/syclbin_layout.h"

typedef struct roles_reader {
    mez_bundle *bundle;
    const mez_span *span;
    const mez_offload *offload;
    const mez_offload_entry **modules; // the metadata of each abstract module; NULL: not seen
    uint32_t first_module;
} roles_reader;

static bool value_is(const mez_offload_entry *entry, const char *key, const char *value)
{
    const mez_offload_string *string = mez_offload_find(entry, key);
    return string && string->size == strlen(value) &&
           memcmp(string->value, value, string->size) == 0;
}

static bool has_role(const mez_offload_entry *entry, const char *role)
{
    return value_is(entry, MEZ_SYCLBIN_KEY_ROLE, role);
}

bool mez_syclbin_has_roles(const mez_offload *offload)
{
    const mez_offload_entry *first = &offload->entries[0];
    return first->image_kind == MEZ_OFFLOAD_SYCLBIN &&
           mez_offload_find(first, MEZ_SYCLBIN_KEY_ROLE) &&
           !mez_syclbin_recognise(first->image, first->image_size);
}

static mez_error wrong(const roles_reader *reader, size_t entry, const char *what)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "%s: entry %zu of a SYCLBIN %s", reader->span->source, entry, what);
}

// --- Abstract modules

// The number that "am_index" gives; each module has an entry of its own, so that there are no more of them than entries.
static mez_error read_module_index(const roles_reader *reader, size_t i, size_t *index)
{
    const mez_offload_string *string =
        mez_offload_find(&reader->offload->entries[i], MEZ_SYCLBIN_KEY_MODULE);
    const char *digits = string ? string->value : NULL;
    if (!string || string->size == 0)
        return wrong(reader, i, "has no " MEZ_SYCLBIN_KEY_MODULE);
    *index = 0;
    for (size_t j = 0; j < string->size; j++) {
        if (digits[j] < '0' || digits[j] > '9')
            return wrong(reader, i, "has an " MEZ_SYCLBIN_KEY_MODULE " that is no number");
        *index = *index * 10 + (size_t)(digits[j] - '0');
        if (*index >= reader->offload->count)
            return wrong(reader, i, "has an " MEZ_SYCLBIN_KEY_MODULE " that is too large");
    }
    return mez_ok();
}

static mez_error note_global(const roles_reader *reader, size_t i)
{
    const mez_offload_entry *entry = &reader->offload->entries[i];
    if (mez_offload_find(entry, MEZ_SYCLBIN_KEY_VERSION) &&
        !value_is(entry, MEZ_SYCLBIN_KEY_VERSION, "2"))
        return wrong(reader, i, "is of a version that is not known; 1 and 2 are");
    const mez_span text = {
        .bytes = entry->image, .size = entry->image_size, .source = reader->span->source};
    return mez_bundle_read_properties(reader->bundle, &text, &reader->bundle->properties);
}

static mez_error note_module(const roles_reader *reader, size_t i)
{
    size_t index;
    MEZ_TRY(read_module_index(reader, i, &index));
    if (reader->modules[index])
        return wrong(reader, i, "has the metadata of a module that has some already");
    reader->modules[index] = &reader->offload->entries[i];
    return mez_ok();
}

// --- Images

// Code has its metadata before it, and before these their size.
static mez_error split_image(
    const roles_reader *reader, size_t i, const char *source, mez_syclbin_image *image)
{
    const mez_offload_entry *entry = &reader->offload->entries[i];
    if (entry->image_size < 8)
        return wrong(reader, i, "is too small for the size of its metadata");
    const uint64_t size = mez_read_u64(entry->image);
    if (size > entry->image_size - 8)
        return wrong(reader, i, "has metadata that do not fit into it");
    image->metadata = (mez_span){.bytes = entry->image + 8, .size = (size_t)size, .source = source};
    image->code = (mez_span){
        .bytes = entry->image + 8 + size,
        .size = entry->image_size - 8 - (size_t)size,
        .source = source,
    };
    return mez_ok();
}

static mez_error read_image(const roles_reader *reader, size_t i, bool native)
{
    size_t index;
    MEZ_TRY(read_module_index(reader, i, &index));
    const mez_offload_entry *module = reader->modules[index];
    if (!module)
        return wrong(reader, i, "belongs to an abstract module without metadata");
    const char *source;
    MEZ_TRY(mez_bundle_pay(reader->bundle, reader->span, strlen(reader->span->source)));
    MEZ_TRY(mez_bundle_print(reader->bundle, &source, "%s: %s %zu", reader->span->source,
        native ? "native image" : "IR module", i));
    mez_syclbin_image image = {
        .module_metadata = {.bytes = module->image, .size = module->image_size, .source = source},
        .module = reader->first_module + (uint32_t)index,
        .native = native,
    };
    MEZ_TRY(split_image(reader, i, source, &image));
    return mez_bundle_add_syclbin_image(reader->bundle, &image);
}

// --- All of them

// Images may stand before the metadata of their module, so these are looked for first.
static mez_error note_metadata(const roles_reader *reader)
{
    bool global = false;
    for (size_t i = 0; i < reader->offload->count; i++) {
        const mez_offload_entry *entry = &reader->offload->entries[i];
        if (has_role(entry, MEZ_SYCLBIN_ROLE_MODULE)) {
            MEZ_TRY(note_module(reader, i));
        } else if (has_role(entry, MEZ_SYCLBIN_ROLE_GLOBAL)) {
            if (global)
                return wrong(reader, i, "has the role global_metadata, as another one has");
            MEZ_TRY(note_global(reader, i));
            global = true;
        } else if (!has_role(entry, MEZ_SYCLBIN_ROLE_IR) &&
                   !has_role(entry, MEZ_SYCLBIN_ROLE_NATIVE)) {
            return wrong(reader, i, "has no role that is known");
        }
    }
    return global ? mez_ok()
                  : mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: a SYCLBIN without global metadata",
                        reader->span->source);
}

static mez_error read_images(const roles_reader *reader)
{
    for (size_t i = 0; i < reader->offload->count; i++) {
        const mez_offload_entry *entry = &reader->offload->entries[i];
        if (has_role(entry, MEZ_SYCLBIN_ROLE_IR))
            MEZ_TRY(read_image(reader, i, false));
        else if (has_role(entry, MEZ_SYCLBIN_ROLE_NATIVE))
            MEZ_TRY(read_image(reader, i, true));
    }
    return mez_ok();
}

mez_error mez_bundle_read_roles(
    mez_bundle *bundle, const mez_span *span, const mez_offload *offload)
{
    roles_reader reader = {
        .bundle = bundle,
        .span = span,
        .offload = offload,
        .modules = mez_alloc_array(offload->count, sizeof *reader.modules),
        .first_module = bundle->modules,
    };
    if (!reader.modules)
        return mez_error_no_memory("a SYCLBIN's modules");
    bundle->container = MEZ_CONTAINER_SYCLBIN;
    bundle->modules += (uint32_t)offload->count;
    mez_error error = note_metadata(&reader);
    if (!mez_failed(error))
        error = read_images(&reader);
    mez_free_memory(reader.modules);
    return error;
}
