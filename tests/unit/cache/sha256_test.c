// SPDX-License-Identifier: MIT
//
// SHA-256 against the examples of its standard, and against itself in pieces.

#include "cache/sha256.h"
#include "unit.h"

static const char *hex_of(const uint8_t digest[MEZ_SHA256_BYTES])
{
    static char text[2 * MEZ_SHA256_BYTES + 1];
    for (int i = 0; i < MEZ_SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

static void expect(const char *text, size_t repeat, const char *hex)
{
    mez_sha256 sum;
    uint8_t digest[MEZ_SHA256_BYTES];
    mez_sha256_init(&sum);
    for (size_t i = 0; i < repeat; i++)
        mez_sha256_add(&sum, text, strlen(text));
    mez_sha256_finish(&sum, digest);
    assert_string_equal(hex_of(digest), hex);
}

static void the_standards_examples_come_out(void **state)
{
    (void)state;
    expect("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void pieces_make_no_difference(void **state)
{
    (void)state;
    uint8_t bytes[300], whole[MEZ_SHA256_BYTES], pieces[MEZ_SHA256_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        mez_sha256 one, many;
        mez_sha256_init(&one);
        mez_sha256_add(&one, bytes, size);
        mez_sha256_finish(&one, whole);
        mez_sha256_init(&many);
        for (size_t done = 0, piece = 1; done < size; done += piece, piece = piece % 70 + 13) {
            piece = piece < size - done ? piece : size - done;
            mez_sha256_add(&many, bytes + done, piece);
        }
        mez_sha256_finish(&many, pieces);
        assert_memory_equal(whole, pieces, sizeof whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standards_examples_come_out),
        cmocka_unit_test(pieces_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
