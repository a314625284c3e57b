// SPDX-License-Identifier: MIT
//
// Containers and the model: every form reads, writes and reads the same, and what is damaged is refused or read without harm.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "container/bundle.h"
#include "container/offload.h"
#include "container/syclbin.h"
#include "container/zstd.h"
#include "same.h"
#include "samples.h"
#include "unit.h"
#include "write_offload.h"

static mez_bundle *read_sample(const char *name, mez_bytes *bytes)
{
    *bytes = make_sample(name);
    mez_bundle *bundle;
    assert_ok(mez_bundle_read(bytes->data, bytes->size, name, &bundle));
    return bundle;
}

static void expect_same_binary(const mez_binary *a, const mez_binary *b)
{
    assert_int_equal(a->format, b->format);
    assert_int_equal(a->packed, b->packed);
    assert_int_equal(a->code_size, b->code_size);
    assert_memory_equal(a->code, b->code, a->code_size);
    assert_string_equal(a->target, b->target);
    assert_string_equal(a->arch, b->arch);
    assert_string_equal(a->compile_options, b->compile_options);
    assert_string_equal(a->link_options, b->link_options);
    assert_true(same_properties(&a->properties, &b->properties));
    assert_int_equal(a->lists_kernels, b->lists_kernels);
    assert_int_equal(a->kernel_count, b->kernel_count);
    for (size_t i = 0; i < a->kernel_count; i++)
        assert_string_equal(a->kernels[i], b->kernels[i]);
}

// Which binaries are choices of one module, not by which number.
static void expect_same_modules(const mez_bundle *a, const mez_bundle *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_equal(a->binaries[i].module == a->binaries[j].module,
                b->binaries[i].module == b->binaries[j].module);
}

static void expect_same(const mez_bundle *a, const mez_bundle *b)
{
    assert_int_equal(a->container, b->container);
    assert_int_equal(a->count, b->count);
    assert_true(same_properties(&a->properties, &b->properties));
    for (size_t i = 0; i < a->count; i++)
        expect_same_binary(&a->binaries[i], &b->binaries[i]);
    expect_same_modules(a, b);
}

// --- Every form

static void every_form_is_recognised(void **state)
{
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        mez_bytes bytes;
        mez_bundle *bundle = read_sample(samples[i].name, &bytes);
        assert_int_equal(bundle->count, samples[i].binaries);
        for (size_t j = 0; j < bundle->count; j++)
            assert_contains(bundle->binaries[j].source, samples[i].name);
        mez_bundle_destroy(&bundle);
        assert_null(bundle);
        mez_bytes_finish(&bytes);
    }
}

static void syclbin_keeps_modules_properties_and_kernels(void **state)
{
    (void)state;
    static const char *const names[] = {
        "version1.syclbin", "version1_bare.syclbin", "version2.syclbin", "packed.syclbin.zst"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        mez_bytes bytes;
        mez_bundle *bundle = read_sample(names[i], &bytes);
        const mez_binary *ir = &bundle->binaries[0], *native = &bundle->binaries[1];
        assert_int_equal(ir->format, MEZ_CODE_SPIRV);
        assert_int_equal(native->format, MEZ_CODE_NATIVE);
        assert_int_equal(ir->module, native->module);
        assert_int_not_equal(ir->module, bundle->binaries[2].module);
        assert_string_equal(ir->target, "spir64-unknown-unknown");
        assert_string_equal(native->arch, "intel_gpu_tgllp");
        assert_true(mez_binary_has_kernel(native, "scale"));
        assert_false(mez_binary_has_kernel(native, "scal"));
        assert_false(bundle->binaries[2].lists_kernels);
        assert_int_equal(mez_properties_get_number(&ir->properties, MEZ_SET_DEVICE_REQUIREMENTS,
                             "reqd_sub_group_size", 0),
            16);
        assert_int_equal(
            mez_properties_get_number(&bundle->properties, MEZ_SET_SYCLBIN_GLOBAL, "state", 9),
            MEZ_SYCLBIN_INPUT);
        mez_bundle_destroy(&bundle);
        mez_bytes_finish(&bytes);
    }
}

static void offload_binaries_keep_strings_and_kernels(void **state)
{
    (void)state;
    static const char *const names[] = {"version2.offload", "version3.offload", "packed.offload"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        mez_bytes bytes;
        mez_bundle *bundle = read_sample(names[i], &bytes);
        assert_int_equal(bundle->container, MEZ_CONTAINER_OFFLOAD);
        mez_bundle *expected = sample_plain_bundle();
        expected->container = MEZ_CONTAINER_OFFLOAD;
        expect_same(bundle, expected);
        mez_bundle_destroy(&expected);
        mez_bundle_destroy(&bundle);
        mez_bytes_finish(&bytes);
    }
}

// --- Round trips

static void expect_syclbin_round_trip(const char *name, mez_syclbin_form form)
{
    mez_bytes bytes, again = {0};
    mez_bundle *first = read_sample(name, &bytes), *second;
    assert_ok(mez_bundle_write_syclbin(first, form, &again));
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    assert_ok(mez_bundle_read(again.data, again.size, name, &second));
    expect_same(first, second);
    mez_bundle_destroy(&first);
    mez_bundle_destroy(&second);
    mez_bytes_finish(&bytes);
    mez_bytes_finish(&again);
}

static void syclbin_reads_and_writes_the_same_bytes(void **state)
{
    (void)state;
    expect_syclbin_round_trip("version1.syclbin", MEZ_SYCLBIN_1);
    expect_syclbin_round_trip("version1_bare.syclbin", MEZ_SYCLBIN_1_BARE);
    expect_syclbin_round_trip("version2.syclbin", MEZ_SYCLBIN_2);
}

static void expect_offload_round_trip(const char *name, const mez_offload_writing *writing)
{
    mez_bytes bytes, again = {0};
    mez_bundle *first = read_sample(name, &bytes);
    assert_ok(write_offload(first, writing, &again));
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    mez_bundle_destroy(&first);
    mez_bytes_finish(&bytes);
    mez_bytes_finish(&again);
}

static void offload_binaries_read_and_write_the_same_bytes(void **state)
{
    (void)state;
    expect_offload_round_trip("version1.offload", &(mez_offload_writing){.version = 1});
    expect_offload_round_trip("version2.offload", &(mez_offload_writing){.version = 2});
    expect_offload_round_trip("version3.offload", &(mez_offload_writing){.version = 3});
    expect_offload_round_trip("packed.offload", &(mez_offload_writing){.pack = true});
}

static void offload_entries_keep_what_nobody_knows(void **state)
{
    (void)state;
    mez_offload_string strings[] = {
        {"triple", "spir64", 6}, {"of tomorrow", "\0\1\2", 3}, {"empty", "", 0}};
    const mez_offload_entry written = {
        .image_kind = 77,
        .offload_kind = 1234,
        .flags = 0xABCDEF01,
        .strings = strings,
        .string_count = 3,
        .image = (const uint8_t *)"image",
        .image_size = 5,
    };
    mez_bytes bytes = {0};
    assert_ok(mez_offload_write(&written, 1, NULL, &bytes));
    mez_bundle *bundle = sample_bundle();
    const mez_container_bytes span = {.bytes = bytes.data, .size = bytes.size, .source = "x"};
    mez_offload offload;
    assert_ok(mez_offload_read(bundle, &span, &offload));
    const mez_offload_entry *read = &offload.entries[0];
    assert_int_equal(read->image_kind, 77);
    assert_int_equal(read->offload_kind, 1234);
    assert_int_equal(read->flags, 0xABCDEF01);
    assert_int_equal(read->string_count, 3);
    assert_string_equal(read->strings[1].key, "of tomorrow");
    assert_int_equal(read->strings[1].size, 3);
    assert_memory_equal(read->strings[1].value, "\0\1\2", 3);
    assert_memory_equal(read->image, "image", 5);
    mez_offload_finish(&offload);
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&bytes);
}

static void kernels_by_themselves_become_the_set_of_names(void **state)
{
    (void)state;
    mez_bytes bytes, syclbin = {0};
    mez_bundle *offload = read_sample("version3.offload", &bytes), *read;
    offload->count = 1;
    assert_ok(mez_bundle_write_syclbin(offload, MEZ_SYCLBIN_1, &syclbin));
    assert_ok(mez_bundle_read(syclbin.data, syclbin.size, "x", &read));
    assert_int_equal(read->binaries[0].kernel_count, 2);
    assert_string_equal(read->binaries[0].kernels[1], "scale");
    mez_bundle_destroy(&read);
    offload->count = 3;
    mez_bundle_destroy(&offload);
    mez_bytes_finish(&bytes);
    mez_bytes_finish(&syclbin);
}

static void writers_refuse_what_they_can_not_hold(void **state)
{
    (void)state;
    mez_bytes bytes = {0};
    mez_bundle *bundle = sample_bundle();
    assert_story(
        write_offload(bundle, NULL, &bytes), MEZ_ERRC_INVALID_PARAMETER, "write SYCLBIN instead");
    bundle->binaries[2].packed = true;
    assert_story(mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_2, &bytes),
        MEZ_ERRC_INVALID_PARAMETER, "third: SYCLBIN can't hold it: it is packed SPIR-V");
    mez_bundle_destroy(&bundle);
    bundle = sample_plain_bundle();
    assert_condition(write_offload(bundle, &(mez_offload_writing){.version = 1}, &bytes),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        write_offload(bundle, &(mez_offload_writing){.version = 2, .pack = true}, &bytes),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(write_offload(bundle, &(mez_offload_writing){.version = 4}, &bytes),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_2, &bytes), MEZ_ERRC_INVALID_PARAMETER);
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&bytes);
}

// --- Kernels of offload binaries

static mez_bundle *read_symbols(const void *symbols, size_t size, mez_bytes *bytes)
{
    mez_offload_string string = {"symbols", symbols, size};
    const mez_offload_entry entry = {
        .image_kind = MEZ_OFFLOAD_SPIRV,
        .strings = &string,
        .string_count = 1,
        .image = (const uint8_t *)"\3\2\x23\7",
        .image_size = 4,
    };
    *bytes = (mez_bytes){0};
    assert_ok(mez_offload_write(&entry, 1, NULL, bytes));
    mez_bundle *bundle;
    assert_ok(mez_bundle_read(bytes->data, bytes->size, "x", &bundle));
    assert_true(bundle->binaries[0].lists_kernels);
    return bundle;
}

static void both_forms_of_symbols_are_read(void **state)
{
    (void)state;
    static const char plain[] = "first\0second\0first\0";
    static const char table[] = "\2\0\0\0"
                                "\x14\0\0\0\5\0\0\0"
                                "\x1A\0\0\0\6\0\0\0"
                                "first\0second";
    static const struct symbols {
        const char *bytes;
        size_t size, kernels;
    } cases[] = {
        {plain, sizeof plain - 1, 2},
        {table, sizeof table, 2},
        {table, 4, 1}, // no table any more: a name of one letter
        {"\0\0\0\0", 4, 0},
        {"alone", 5, 1},
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mez_bytes bytes;
        mez_bundle *bundle = read_symbols(cases[i].bytes, cases[i].size, &bytes);
        assert_int_equal(bundle->binaries[0].kernel_count, cases[i].kernels);
        assert_int_equal(
            mez_binary_has_kernel(&bundle->binaries[0], "second"), cases[i].kernels == 2);
        mez_bundle_destroy(&bundle);
        mez_bytes_finish(&bytes);
    }
}

// --- Code

static void packed_code_waits_until_it_is_wanted(void **state)
{
    (void)state;
    mez_bytes bytes;
    mez_bundle *bundle = read_sample("nested.offload", &bytes);
    mez_binary *binary = &bundle->binaries[3];
    assert_true(binary->packed);
    assert_int_equal(binary->format, MEZ_CODE_UNKNOWN);
    assert_ok(mez_binary_unpack(bundle, binary));
    assert_false(binary->packed);
    assert_int_equal(binary->format, MEZ_CODE_SPIRV);
    assert_int_equal(binary->code_size, 28);
    const void *code = binary->code;
    assert_ok(mez_binary_unpack(bundle, binary));
    assert_ptr_equal(binary->code, code);
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&bytes);
}

static void bitcode_is_kept_and_refused_on_use(void **state)
{
    (void)state;
    mez_bytes bytes;
    mez_bundle *bundle = read_sample("version3.offload", &bytes);
    assert_int_equal(bundle->binaries[2].format, MEZ_CODE_LLVM);
    assert_ok(mez_binary_unpack(bundle, &bundle->binaries[0]));
    assert_story(
        mez_binary_unpack(bundle, &bundle->binaries[2]), MEZ_ERRC_INVALID_IMAGE, "llvm-spirv");
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&bytes);
}

static void the_wrong_file_is_described(void **state)
{
    (void)state;
    static const char elf[64] = "\x7F"
                                "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3E";
    mez_bundle *bundle;
    assert_story(mez_bundle_read("__kernel void k() {}", 20, "k.cl", &bundle),
        MEZ_ERRC_INVALID_IMAGE,
        "k.cl: no device image: it is OpenCL C: mez_image_load compiles it where");
    assert_null(bundle);
    assert_story(mez_bundle_read("[Code]\na.spv\n", 13, "a", &bundle), MEZ_ERRC_INVALID_IMAGE,
        "a file table");
    assert_story(
        mez_bundle_read("", 0, "x", &bundle), MEZ_ERRC_INVALID_IMAGE, "x: no device image");
    assert_story(
        mez_bundle_read(elf, sizeof elf, "a.o", &bundle), MEZ_ERRC_INVALID_IMAGE, "an ELF file");
}

static void device_elf_files_and_archives_are_native(void **state)
{
    (void)state;
    char elf[64] = "\x7F"
                   "ELF\2\1\1\0\0\0\0\0\0\0\0\0\1\0\xCD";
    assert_int_equal(mez_code_recognise(elf, sizeof elf), MEZ_CODE_NATIVE); // zebin
    memcpy(elf + 16, "\4\xFF\0\0", 4);
    assert_int_equal(mez_code_recognise(elf, sizeof elf), MEZ_CODE_NATIVE); // OpenCL program
    assert_int_equal(mez_code_recognise(elf, 20), MEZ_CODE_UNKNOWN);
    assert_int_equal(mez_code_recognise("!<arch>\npad_0/", 14), MEZ_CODE_NATIVE);
    assert_int_equal(mez_code_recognise("ZECPUBIN", 8), MEZ_CODE_NATIVE);
    assert_int_equal(mez_code_recognise("!<arch>\nlib.o/", 14), MEZ_CODE_UNKNOWN);
}

static void the_property_says_best_what_code_was_compiled_for(void **state)
{
    (void)state;
    mez_binary binary = {.arch = "pvc"};
    assert_string_equal(mez_binary_compiled_for(&binary), "pvc");
    assert_ok(mez_properties_add_text(
        &binary.properties, MEZ_SET_DEVICE_REQUIREMENTS, "compile_target", "intel_gpu_dg2"));
    assert_string_equal(mez_binary_compiled_for(&binary), "intel_gpu_dg2");
    mez_properties_finish(&binary.properties);
}

static void entries_of_metadata_are_no_images(void **state)
{
    (void)state;
    const mez_offload_entry entries[] = {
        {.flags = MEZ_OFFLOAD_METADATA},
        {.image_kind = MEZ_OFFLOAD_SPIRV, .image = (const uint8_t *)"\3\2\x23\7", .image_size = 4},
    };
    mez_bytes bytes = {0};
    mez_bundle *bundle;
    assert_ok(mez_offload_write(entries, 2, NULL, &bytes));
    assert_ok(mez_bundle_read(bytes.data, bytes.size, "x", &bundle));
    assert_int_equal(bundle->count, 1);
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&bytes);
}

// --- Tables

static void write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *folder, const char *name, const char *text)
{
    write_file(folder, name, text, strlen(text));
}

static void a_table_brings_its_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/mez-table-XXXXXX", path[512];
    assert_non_null(mkdtemp(folder));
    mez_bytes spirv = make_sample("raw.spv"), packed = {0};
    assert_ok(mez_zstd_pack(spirv.data, spirv.size, &packed));
    write_file(folder, "a_0.spv", spirv.data, spirv.size);
    write_file(folder, "a_1.spv.zst", packed.data, packed.size);
    write_text(folder, "a_0.prop",
        "[SYCL/device requirements]\naspects=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA\n[SYCL/kernel "
        "names]\nsaxpy=1|1\n");
    write_text(folder, "a_1.sym", "scale\nadd\n");
    write_text(
        folder, "a.table", "[Code|Properties|Symbols]\na_0.spv|a_0.prop|\na_1.spv.zst||a_1.sym\n");

    mez_bundle *bundle;
    snprintf(path, sizeof path, "%s/a.table", folder);
    assert_ok(mez_bundle_load(path, &bundle));
    assert_int_equal(bundle->container, MEZ_CONTAINER_TABLE);
    assert_int_equal(bundle->count, 2);
    assert_string_equal(bundle->binaries[0].kernels[0], "saxpy");
    assert_true(bundle->binaries[1].packed);
    assert_true(mez_binary_has_kernel(&bundle->binaries[1], "add"));
    assert_ok(mez_binary_unpack(bundle, &bundle->binaries[1]));
    assert_int_equal(bundle->binaries[1].format, MEZ_CODE_SPIRV);
    mez_bundle_destroy(&bundle);

    write_text(folder, "a.table", "[Code|Properties]\na_0.spv|a_0.prop\na_0.spv|missing.prop\n");
    const mez_error error = mez_bundle_load(path, &bundle);
    assert_story(error, MEZ_ERRC_FILE, "missing.prop");
    assert_contains(story_of(error), "row 2");
    assert_null(bundle);

    static const char *const files[] = {"a_0.spv", "a_1.spv.zst", "a_0.prop", "a_1.sym", "a.table"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    mez_bytes_finish(&spirv);
    mez_bytes_finish(&packed);
}

// --- Damage

// Reads it, and where it can be read, uses all of it.
static bool read_damaged(const void *bytes, size_t size)
{
    mez_bundle *bundle;
    const mez_error error = mez_bundle_read(bytes, size, "damaged", &bundle);
    if (mez_failed(error)) {
        assert_true(mez_error_is(error, MEZ_ERRC_INVALID_IMAGE));
        assert_null(bundle);
        return false;
    }
    for (size_t i = 0; i < bundle->count; i++)
        (void)mez_binary_unpack(bundle, &bundle->binaries[i]);
    mez_bundle_destroy(&bundle);
    return true;
}

// The copy ends where its memory ends, so that a byte too far is seen by a sanitizer.
static void every_shorter_container_is_refused_or_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        mez_bytes bytes = make_sample(samples[i].name);
        size_t refused = 0;
        for (size_t size = 0; size < bytes.size; size++) {
            uint8_t *shorter = malloc(size ? size : 1);
            memcpy(shorter, bytes.data, size);
            refused += !read_damaged(shorter, size);
            free(shorter);
        }
        // Code by itself may end anywhere.
        assert_true(refused >= (samples[i].binaries == 1 && i < 2 ? 4 : bytes.size / 2));
        mez_bytes_finish(&bytes);
    }
}

static void every_flipped_bit_is_refused_or_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        mez_bytes bytes = make_sample(samples[i].name);
        for (size_t bit = 0; bit < bytes.size * 8; bit++) {
            bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            read_damaged(bytes.data, bytes.size);
            bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_true(read_damaged(bytes.data, bytes.size));
        mez_bytes_finish(&bytes);
    }
}

static void containers_without_end_are_refused(void **state)
{
    (void)state;
    mez_bytes inner = make_sample("raw.spv");
    for (int depth = 0; depth < 10; depth++) {
        const mez_offload_entry entry = {.image = inner.data, .image_size = inner.size};
        mez_bytes outer = {0};
        assert_ok(mez_offload_write(&entry, 1, NULL, &outer));
        mez_bytes_finish(&inner);
        inner = outer;
    }
    mez_bundle *bundle;
    assert_story(mez_bundle_read(inner.data, inner.size, "x", &bundle), MEZ_ERRC_INVALID_IMAGE,
        "nested containers");
    mez_bytes_finish(&inner);
}

// A small file whose modules all have the same large metadata.
static void the_same_bytes_over_and_over_are_refused(void **state)
{
    (void)state;
    enum { MODULES = 4000, METADATA = 60000 };
    mez_bytes file = {0};
    mez_bytes_add_u32(&file, 0x53594249);
    mez_bytes_add_u32(&file, 1);
    mez_bytes_add_u32(&file, MODULES);
    mez_bytes_add_u32(&file, 1);
    mez_bytes_add_u32(&file, 0);
    mez_bytes_add_u32(&file, 0);
    mez_bytes_add_u64(&file, METADATA);
    mez_bytes_add_u64(&file, 0);
    mez_bytes_add_zeros(&file, 16);
    for (int i = 0; i < MODULES; i++) {
        mez_bytes_add_u64(&file, 0);
        mez_bytes_add_u64(&file, METADATA);
        mez_bytes_add_u32(&file, 1);
        mez_bytes_add_zeros(&file, 12);
    }
    mez_bytes_add_zeros(&file, 32);
    for (int i = 0; i < METADATA / 6; i++) {
        char set[8];
        snprintf(set, sizeof set, "[%03x]\n", i % 4096);
        mez_bytes_add(&file, set, 6);
    }
    mez_bundle *bundle;
    assert_story(mez_bundle_read(file.data, file.size, "x", &bundle), MEZ_ERRC_INVALID_IMAGE,
        "refer to the same bytes");
    mez_bytes_finish(&file);
}

// --- Memory

static mez_error read_and_write(const mez_bytes *bytes)
{
    mez_bundle *bundle;
    MEZ_TRY(mez_bundle_read(bytes->data, bytes->size, "x", &bundle));
    mez_bytes out = {0};
    mez_error error = mez_ok();
    if (bundle->count == 3 && bundle->container == MEZ_CONTAINER_SYCLBIN) {
        error = mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_2, &out);
        if (!mez_failed(error))
            error = mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_1, &out);
    } else if (bundle->count == 3) {
        error = write_offload(bundle, &(mez_offload_writing){.pack = true}, &out);
    }
    mez_bytes_finish(&out);
    mez_bundle_destroy(&bundle);
    return error;
}

static void short_memory_is_an_error_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        mez_bytes bytes = make_sample(samples[i].name);
        for (uint64_t n = 1;; n++) {
            mez_alloc_fail_at(n);
            const mez_error error = read_and_write(&bytes);
            if (mez_alloc_fail_at(0) < n) {
                assert_ok(error);
                break;
            }
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        }
        mez_bytes_finish(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_recognised),
        cmocka_unit_test(syclbin_keeps_modules_properties_and_kernels),
        cmocka_unit_test(offload_binaries_keep_strings_and_kernels),
        cmocka_unit_test(syclbin_reads_and_writes_the_same_bytes),
        cmocka_unit_test(offload_binaries_read_and_write_the_same_bytes),
        cmocka_unit_test(offload_entries_keep_what_nobody_knows),
        cmocka_unit_test(kernels_by_themselves_become_the_set_of_names),
        cmocka_unit_test(writers_refuse_what_they_can_not_hold),
        cmocka_unit_test(both_forms_of_symbols_are_read),
        cmocka_unit_test(packed_code_waits_until_it_is_wanted),
        cmocka_unit_test(bitcode_is_kept_and_refused_on_use),
        cmocka_unit_test(the_wrong_file_is_described),
        cmocka_unit_test(device_elf_files_and_archives_are_native),
        cmocka_unit_test(the_property_says_best_what_code_was_compiled_for),
        cmocka_unit_test(entries_of_metadata_are_no_images),
        cmocka_unit_test(a_table_brings_its_files),
        cmocka_unit_test(every_shorter_container_is_refused_or_valid),
        cmocka_unit_test(every_flipped_bit_is_refused_or_valid),
        cmocka_unit_test(containers_without_end_are_refused),
        cmocka_unit_test(the_same_bytes_over_and_over_are_refused),
        cmocka_unit_test(short_memory_is_an_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
