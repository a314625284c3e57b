// SPDX-License-Identifier: MIT
//
// Native binaries: what is in one, and in which order. Every field is written and read in the same
// order by put_... and get_... functions that stand next to each other.

#include "native.h"
#include "bytes.h"
#include "context.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 4

enum program_flag {
    EXPOSES_VARIABLES = 1,
    HAS_DEBUG_INFO = 2,
    OPTIMISE = 4,
    LAZY = 8,
    ALL_FLAGS = 15
};
enum kernel_flag { HAS_BARRIER = 1, USES_ASSERT = 2, RUNS_COROUTINES = 4, ALL_KERNEL_FLAGS = 7 };

static const char magic[8] = {'Z', 'E', 'C', 'P', 'U', 'B', 'I', 'N'};

struct header {
    char magic[sizeof(magic)];
    uint32_t version;
    uint32_t reserved; // 0
    uint64_t size;     // of everything
    uint64_t checksum; // of what follows
};
_Static_assert(sizeof(struct header) == ZC_NATIVE_HEADER_SIZE, "no padding");

// FNV-1a: each step can be undone, so that any one changed byte changes the sum.
static uint64_t checksum(const uint8_t *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void put_flags(struct zc_writer *writer, const struct zc_native *native)
{
    zc_put_u32(writer, (native->exposes_variables ? EXPOSES_VARIABLES : 0) |
                           (native->has_debug_info ? HAS_DEBUG_INFO : 0) |
                           (native->optimise ? OPTIMISE : 0) | (native->is_lazy ? LAZY : 0));
    zc_put_u32(writer, native->mode);
    zc_put_u32(writer, native->checks);
}

static void get_flags(struct zc_reader *reader, struct zc_native *native)
{
    const uint32_t flags = zc_get_u32(reader);
    if ((flags & ~(uint32_t)ALL_FLAGS) != 0)
        zc_set_fault(reader, "it has unknown flags");
    native->exposes_variables = flags & EXPOSES_VARIABLES;
    native->has_debug_info = flags & HAS_DEBUG_INFO;
    native->optimise = flags & OPTIMISE;
    native->is_lazy = flags & LAZY;
    native->mode = (enum zc_mode)zc_get_u32(reader);
    if (native->mode > ZC_MODE_SCALAR)
        zc_set_fault(reader, "it was made in an unknown mode");
    native->checks = zc_get_u32(reader);
}

static void put_argument(struct zc_writer *writer, const struct zc_argument *argument)
{
    zc_put_u32(writer, argument->kind);
    zc_put_u32(writer, argument->size);
    zc_put_u32(writer, argument->offset);
    zc_put_u32(writer, argument->image_dimensions);
    zc_put_u32(writer, argument->image_access);
}

#define ARGUMENT_SIZE 20

static void get_argument(struct zc_reader *reader, struct zc_argument *argument, uint32_t blob_size)
{
    const uint32_t kind = zc_get_u32(reader);
    argument->kind = (enum zc_argument_kind)kind;
    argument->size = zc_get_u32(reader);
    argument->offset = zc_get_u32(reader);
    const uint32_t dimensions = zc_get_u32(reader);
    argument->image_dimensions = (enum zc_image_dimensions)dimensions;
    argument->image_access = zc_get_u32(reader);
    if (kind > ZC_ARGUMENT_SAMPLER || (uint64_t)argument->offset + argument->size > blob_size)
        zc_set_fault(reader, "an argument lies outside of the arguments of its kernel");
    if (kind >= ZC_ARGUMENT_IMAGE && argument->size != sizeof(uint64_t))
        zc_set_fault(reader, "an argument is an image or a sampler of another size");
    if (dimensions > ZC_IMAGE_3D || argument->image_access > (ZC_IMAGE_READ | ZC_IMAGE_WRITE))
        zc_set_fault(reader, "an argument is an image of an unknown type");
}

static void put_kernel_flags(struct zc_writer *writer, const struct zc_kernel *kernel)
{
    zc_put_u32(writer, (kernel->has_barrier ? HAS_BARRIER : 0) |
                           (kernel->uses_assert ? USES_ASSERT : 0) |
                           (kernel->runs_coroutines ? RUNS_COROUTINES : 0));
}

static void get_kernel_flags(struct zc_reader *reader, struct zc_kernel *kernel)
{
    const uint32_t flags = zc_get_u32(reader);
    if ((flags & ~(uint32_t)ALL_KERNEL_FLAGS) != 0)
        zc_set_fault(reader, "a kernel has unknown flags");
    kernel->has_barrier = flags & HAS_BARRIER;
    kernel->uses_assert = flags & USES_ASSERT;
    kernel->runs_coroutines = flags & RUNS_COROUTINES;
}

static void put_kernel(struct zc_writer *writer, const struct zc_kernel *kernel)
{
    zc_put_text(writer, kernel->name);
    put_kernel_flags(writer, kernel);
    zc_put_u32(writer, kernel->static_local_size);
    for (int i = 0; i < 3; i++)
        zc_put_u32(writer, kernel->required_group_size[i]);
    zc_put_u32(writer, kernel->required_sub_group_size);
    zc_put_u32(writer, kernel->sub_group_size);
    zc_put_u32(writer, kernel->private_size);
    zc_put_u32(writer, kernel->range_count);
    zc_put_u32(writer, kernel->blob_size);
    zc_put_u32(writer, kernel->argument_count);
    for (uint32_t i = 0; i < kernel->argument_count; i++)
        put_argument(writer, &kernel->arguments[i]);
}

// The name's length and zero, and eleven numbers.
#define KERNEL_SIZE_LEAST (sizeof(uint64_t) + 1 + 11 * sizeof(uint32_t))

static void get_kernel(struct zc_reader *reader, struct zc_kernel *kernel)
{
    kernel->name = zc_get_text(reader);
    get_kernel_flags(reader, kernel);
    kernel->static_local_size = zc_get_u32(reader);
    for (int i = 0; i < 3; i++)
        kernel->required_group_size[i] = zc_get_u32(reader);
    kernel->required_sub_group_size = zc_get_u32(reader);
    kernel->sub_group_size = zc_get_u32(reader);
    if (kernel->sub_group_size == 0 || kernel->sub_group_size > ZC_MAX_SUB_GROUP_SIZE)
        zc_set_fault(reader, "a kernel's sub-group size is invalid");
    kernel->private_size = zc_get_u32(reader);
    kernel->range_count = zc_get_u32(reader);
    kernel->blob_size = zc_get_u32(reader);
    struct zc_argument *arguments =
        zc_get_list(reader, &kernel->argument_count, ARGUMENT_SIZE, sizeof(*arguments));
    for (uint32_t i = 0; i < kernel->argument_count; i++)
        get_argument(reader, &arguments[i], kernel->blob_size);
    kernel->arguments = arguments;
}

static void put_kernels(struct zc_writer *writer, const struct zc_native *native)
{
    zc_put_u32(writer, native->kernel_count);
    for (uint32_t i = 0; i < native->kernel_count; i++)
        put_kernel(writer, &native->kernels[i]);
}

static void get_kernels(struct zc_reader *reader, struct zc_native *native)
{
    native->kernels =
        zc_get_list(reader, &native->kernel_count, KERNEL_SIZE_LEAST, sizeof(*native->kernels));
    for (uint32_t i = 0; i < native->kernel_count; i++)
        get_kernel(reader, &native->kernels[i]);
}

static void put_variables(struct zc_writer *writer, const struct zc_native *native)
{
    zc_put_u32(writer, native->variable_count);
    for (uint32_t i = 0; i < native->variable_count; i++) {
        zc_put_text(writer, native->variables[i].name);
        zc_put_u64(writer, native->variables[i].size);
        zc_put_u32(writer, native->variables[i].is_exported);
    }
}

#define VARIABLE_SIZE_LEAST (2 * sizeof(uint64_t) + 1 + sizeof(uint32_t))

static void get_variables(struct zc_reader *reader, struct zc_native *native)
{
    native->variables = zc_get_list(
        reader, &native->variable_count, VARIABLE_SIZE_LEAST, sizeof(*native->variables));
    for (uint32_t i = 0; i < native->variable_count; i++) {
        native->variables[i].name = zc_get_text(reader);
        native->variables[i].size = zc_get_u64(reader);
        const uint32_t is_exported = zc_get_u32(reader);
        if (is_exported > 1)
            zc_set_fault(reader, "a variable has unknown flags");
        native->variables[i].is_exported = is_exported == 1;
    }
}

static void put_names(struct zc_writer *writer, const struct zc_names *names)
{
    zc_put_u32(writer, names->count);
    for (uint32_t i = 0; i < names->count; i++)
        zc_put_text(writer, names->list[i]);
}

static void get_names(struct zc_reader *reader, struct zc_names *names)
{
    names->list = zc_get_list(reader, &names->count, sizeof(uint64_t) + 1, sizeof(*names->list));
    for (uint32_t i = 0; i < names->count; i++)
        names->list[i] = zc_get_text(reader);
}

void zc_native_seal(void *bytes, size_t size)
{
    if (size < sizeof(struct header))
        return;
    const uint64_t total = size;
    memcpy((char *)bytes + offsetof(struct header, size), &total, sizeof(total));
    const uint64_t sum =
        checksum((const uint8_t *)bytes + sizeof(struct header), size - sizeof(struct header));
    memcpy((char *)bytes + offsetof(struct header, checksum), &sum, sizeof(sum));
}

void *zc_native_write(const struct zc_native *native, size_t *size)
{
    struct zc_writer writer = {0};
    struct header header = {.version = VERSION};
    memcpy(header.magic, magic, sizeof(magic));
    zc_put(&writer, &header, sizeof(header));
    zc_put_text(&writer, native->engine);
    zc_put_text(&writer, native->processor);
    zc_put_text(&writer, native->device);
    put_flags(&writer, native);
    put_kernels(&writer, native);
    put_variables(&writer, native);
    put_names(&writer, &native->imports);
    put_names(&writer, &native->exports);
    zc_put_span(&writer, native->code);
    zc_put_span(&writer, native->data);
    zc_put_span(&writer, native->linkable);
    if (writer.failed) {
        free(writer.bytes);
        return NULL;
    }
    *size = writer.size;
    zc_native_seal(writer.bytes, writer.size);
    return writer.bytes;
}

static const char *check_header(const void *bytes, size_t size)
{
    struct header header;
    if (size < sizeof(header))
        return "it is shorter than a header";
    memcpy(&header, bytes, sizeof(header));
    if (memcmp(header.magic, magic, sizeof(magic)) != 0)
        return "it does not begin with the magic number of ze-cpu";
    if (header.version != VERSION || header.reserved != 0)
        return "it is of another version";
    if (header.size != size)
        return "it is not as large as its header says";
    if (header.checksum != checksum((const uint8_t *)bytes + sizeof(header), size - sizeof(header)))
        return "it is damaged, its checksum is wrong";
    return NULL;
}

const char *zc_native_read(const void *bytes, size_t size, struct zc_native *native)
{
    struct zc_reader reader = {.fault = check_header(bytes, size)};
    *native = (struct zc_native){0};
    if (reader.fault != NULL)
        return reader.fault;
    reader.next = (const uint8_t *)bytes + sizeof(struct header);
    reader.left = size - sizeof(struct header);
    native->engine = zc_get_text(&reader);
    native->processor = zc_get_text(&reader);
    native->device = zc_get_text(&reader);
    get_flags(&reader, native);
    get_kernels(&reader, native);
    get_variables(&reader, native);
    get_names(&reader, &native->imports);
    get_names(&reader, &native->exports);
    native->code = zc_get_span(&reader);
    native->data = zc_get_span(&reader);
    native->linkable = zc_get_span(&reader);
    if (reader.left > 0)
        zc_set_fault(&reader, "data follows its end");
    if (reader.fault != NULL)
        zc_native_finish(native);
    return reader.fault;
}

void zc_native_finish(struct zc_native *native)
{
    for (uint32_t i = 0; i < native->kernel_count; i++)
        free((void *)native->kernels[i].arguments);
    free(native->kernels);
    free(native->variables);
    free(native->imports.list);
    free(native->exports.list);
    *native = (struct zc_native){0};
}
