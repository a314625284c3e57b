// SPDX-License-Identifier: MIT
// A kernel of more than 2,000 blocks.

#define ONE(n)                     \
    if ((in[i] ^ (n)) * 40503 & 64) \
        out[i] = in[i] ^ (n);
#define TEN(n) ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n) TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)

kernel void blocks(global const uint *in, global volatile uint *out)
{
    const size_t i = get_global_id(0);
    HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400) HUNDRED(500)
    HUNDRED(600) HUNDRED(700) HUNDRED(800) HUNDRED(900) HUNDRED(1000)
}
