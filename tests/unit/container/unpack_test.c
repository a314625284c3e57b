// SPDX-License-Identifier: MIT
//
// Compressed code, and the limits of what it may unpack to.

#include <stdlib.h>
#include <sys/resource.h>
#include <zstd.h>

#include "container/bundle.h"
#include "container/zstd.h"
#include "unit.h"

static void unpacking_has_a_limit(void **state)
{
    (void)state;
    mez_bytes zeros = {0}, packed = {0}, unpacked = {0};
    mez_bytes_add_zeros(&zeros, 1 << 20);
    assert_ok(mez_zstd_pack(zeros.data, zeros.size, &packed));
    assert_true(packed.size < 1000);
    bool is_larger;
    assert_ok(mez_zstd_unpack(packed.data, packed.size, 1 << 20, "x", &unpacked, &is_larger));
    assert_false(is_larger);
    assert_int_equal(unpacked.size, 1 << 20);
    mez_bytes_finish(&unpacked);
    assert_story(
        mez_zstd_unpack(packed.data, packed.size, (1 << 20) - 1, "x", &unpacked, &is_larger),
        MEZ_ERRC_INVALID_IMAGE, "unpacks to more than");
    assert_true(is_larger);
    mez_bytes_finish(&unpacked);
    mez_bytes_finish(&packed);
    mez_bytes_finish(&zeros);
}

// 10 GiB of zeros, as frames of 1 GiB that do not say how large they are.
static void add_bomb(mez_bytes *bomb)
{
    static const size_t gigabyte = (size_t)1 << 30;
    static uint8_t zeros[1 << 20], room[1 << 20];
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_outBuffer out = {.dst = room, .size = sizeof room};
    for (size_t done = 0; done < gigabyte; done += sizeof zeros) {
        ZSTD_inBuffer in = {.src = zeros, .size = sizeof zeros};
        const bool is_last = done + sizeof zeros == gigabyte;
        const size_t left =
            ZSTD_compressStream2(zstd, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
        assert_false(ZSTD_isError(left));
        assert_int_equal(in.pos, in.size);
    }
    for (int i = 0; i < 10; i++)
        mez_bytes_add(bomb, room, out.pos);
    ZSTD_freeCCtx(zstd);
    assert_true(bomb->size < 1 << 20);
}

static size_t resident_peak(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (size_t)usage.ru_maxrss * 1024;
}

static void a_bomb_is_refused_with_what_to_do(void **state)
{
    (void)state;
    mez_bytes bomb = {0};
    mez_bundle *bundle;
    add_bomb(&bomb);
    const size_t before = resident_peak();
    const mez_error error =
        mez_bundle_read_within(bomb.data, bomb.size, "bomb.bin", 1 << 20, &bundle);
    assert_story(error, MEZ_ERRC_INVALID_IMAGE, "bomb.bin: compressed code of");
    assert_contains(story_of(error), "limit: 1048576 bytes for all of its compressed code");
    assert_contains(story_of(error), "MEZ_UNPACK_LIMIT");
    assert_true(resident_peak() - before < 64 << 20);
    setenv("MEZ_UNPACK_LIMIT", "2M", 1);
    assert_contains(story_of(mez_bundle_read(bomb.data, bomb.size, "bomb.bin", &bundle)),
        "limit: 2097152 bytes");
    setenv("MEZ_UNPACK_LIMIT", "much", 1);
    assert_story(mez_bundle_read(bomb.data, bomb.size, "bomb.bin", &bundle),
        MEZ_ERRC_INVALID_PARAMETER, "MEZ_UNPACK_LIMIT=much is invalid: use a number of bytes");
    unsetenv("MEZ_UNPACK_LIMIT");
    assert_contains(story_of(mez_bundle_read(bomb.data, bomb.size, "bomb.bin", &bundle)),
        "limit: 268435456 bytes");
    mez_bytes_finish(&bomb);
}

// A raw bundle of so many compressed binaries of 1000 bytes that begin with `word`, with room for one of them.
static mez_bundle *bundle_of(uint32_t word, int count, mez_bytes *packed)
{
    mez_bytes code = {0};
    mez_bytes_add_u32(&code, word);
    mez_bytes_add_zeros(&code, 1000 - 4);
    assert_ok(mez_zstd_pack(code.data, code.size, packed));
    mez_bytes_finish(&code);
    mez_bundle *bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    bundle->budget = 1000;
    assert_ok(mez_bundle_limit(bundle, 1500));
    const mez_container_bytes span = {.bytes = packed->data, .size = packed->size, .source = "x"};
    for (int i = 0; i < count; i++) {
        mez_binary *binary;
        assert_ok(mez_bundle_add(bundle, &span, &binary));
        binary->packed = true;
    }
    return bundle;
}

// However often it is tried.
static void what_is_refused_takes_nothing_of_the_limit(void **state)
{
    (void)state;
    mez_bytes packed = {0};
    mez_bundle *bundle = bundle_of(0xdec04342, 1, &packed); // bitcode
    for (int i = 0; i < 3; i++)
        assert_story(
            mez_binary_unpack(bundle, &bundle->binaries[0]), MEZ_ERRC_INVALID_IMAGE, "llvm-spirv");
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&packed);
}

// Each binary below the limit, all of them above it.
static void the_limit_is_for_all_of_a_bundle(void **state)
{
    (void)state;
    mez_bytes packed = {0};
    mez_bundle *bundle = bundle_of(0x07230203, 2, &packed);
    assert_ok(mez_binary_unpack(bundle, &bundle->binaries[0]));
    assert_story(mez_binary_unpack(bundle, &bundle->binaries[1]), MEZ_ERRC_INVALID_IMAGE,
        "limit: 1500 bytes for all of its compressed code, of which 1000 are in use");
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&packed);
}

static void frames_behind_each_other_are_one(void **state)
{
    (void)state;
    bool is_larger;
    mez_bytes packed = {0}, unpacked = {0};
    assert_ok(mez_zstd_pack("first, ", 7, &packed));
    assert_ok(mez_zstd_pack("second", 6, &packed));
    assert_ok(mez_zstd_unpack(packed.data, packed.size, 100, "x", &unpacked, &is_larger));
    assert_int_equal(unpacked.size, 13);
    assert_memory_equal(unpacked.data, "first, second", 13);
    mez_bytes_finish(&unpacked);
    assert_story(mez_zstd_unpack(packed.data, packed.size - 1, 100, "x", &unpacked, &is_larger),
        MEZ_ERRC_INVALID_IMAGE, "too early");
    mez_bytes_finish(&unpacked);
    mez_bytes_finish(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpacking_has_a_limit),
        cmocka_unit_test(frames_behind_each_other_are_one),
        cmocka_unit_test(a_bomb_is_refused_with_what_to_do),
        cmocka_unit_test(what_is_refused_takes_nothing_of_the_limit),
        cmocka_unit_test(the_limit_is_for_all_of_a_bundle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
