// SPDX-License-Identifier: MIT
//
// Names are those of the standard, where it has short ones.

#include "cache/sha256.h"

#include <stdbool.h>
#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
    0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3,
    0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354,
    0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3,
    0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
    0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void mez_sha256_init(mez_sha256 *state)
{
    // of the square roots of the first 8 primes
    *state = (mez_sha256){.words = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static uint32_t turn(uint32_t value, unsigned count)
{
    return value >> count | value << (32 - count);
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_big_endian(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void spread_block(const uint8_t *block, uint32_t w[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        const uint32_t s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

// One round. Of the standard's a to h only d and h get new values, and stand for e and a in the next round: instead of moving
// eight values, the caller turns the arguments.
static inline void mix(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
    uint32_t g, uint32_t *h, uint32_t input)
{
    const uint32_t s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const uint32_t t1 = *h + s1 + ((e & f) ^ (~e & g)) + input;
    const uint32_t s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    *d += t1;
    *h = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
}

static void mix_eight(uint32_t v[8], const uint32_t *w, const uint32_t *k)
{
    mix(v[0], v[1], v[2], &v[3], v[4], v[5], v[6], &v[7], w[0] + k[0]);
    mix(v[7], v[0], v[1], &v[2], v[3], v[4], v[5], &v[6], w[1] + k[1]);
    mix(v[6], v[7], v[0], &v[1], v[2], v[3], v[4], &v[5], w[2] + k[2]);
    mix(v[5], v[6], v[7], &v[0], v[1], v[2], v[3], &v[4], w[3] + k[3]);
    mix(v[4], v[5], v[6], &v[7], v[0], v[1], v[2], &v[3], w[4] + k[4]);
    mix(v[3], v[4], v[5], &v[6], v[7], v[0], v[1], &v[2], w[5] + k[5]);
    mix(v[2], v[3], v[4], &v[5], v[6], v[7], v[0], &v[1], w[6] + k[6]);
    mix(v[1], v[2], v[3], &v[4], v[5], v[6], v[7], &v[0], w[7] + k[7]);
}

static void take_block(mez_sha256 *state, const uint8_t *block)
{
    uint32_t w[64], v[8];
    spread_block(block, w);
    memcpy(v, state->words, sizeof v);
    for (int i = 0; i < 64; i += 8)
        mix_eight(v, w + i, constants + i);
    for (int i = 0; i < 8; i++)
        state->words[i] += v[i];
}

void mez_sha256_add(mez_sha256 *state, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    while (size > 0) {
        const size_t used = state->length % MEZ_SHA256_BLOCK;
        const size_t room = MEZ_SHA256_BLOCK - used;
        const size_t taken = size < room ? size : room;
        const bool whole = taken == MEZ_SHA256_BLOCK;
        if (!whole)
            memcpy(state->block + used, next, taken);
        if (used + taken == MEZ_SHA256_BLOCK)
            take_block(state, whole ? next : state->block);
        state->length += taken;
        next += taken;
        size -= taken;
    }
}

void mez_sha256_finish(mez_sha256 *state, uint8_t digest[MEZ_SHA256_BYTES])
{
    static const uint8_t padding[MEZ_SHA256_BLOCK] = {0x80};
    const uint64_t bits = state->length * 8;
    uint8_t length[8];
    put_big_endian(length, (uint32_t)(bits >> 32));
    put_big_endian(length + 4, (uint32_t)bits);
    const size_t used = state->length % MEZ_SHA256_BLOCK;
    mez_sha256_add(state, padding, used < 56 ? 56 - used : 120 - used);
    mez_sha256_add(state, length, sizeof length);
    for (int i = 0; i < 8; i++)
        put_big_endian(digest + 4 * i, state->words[i]);
}
