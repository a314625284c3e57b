// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives the target values that are good, and others near them, and each with one byte changed.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const seeds[] = {"0", "1", "64", "65", "86400000", "18446744073709551615",
    "18446744073709551616", "1048576", "512M", "8G", "1024T", "1025T", "9007199254740993K", "abort",
    "memory,divergence", "memory,,", ",memory", "COMBINED",
    "fp16,fp64,atomic64,sub-groups=8+16+32,group-size=512,local-memory=65536,ip-version=0x03000000",
    "sub-groups=", "sub-groups=8+", "sub-groups=+", "sub-groups=3", "group-size=0",
    "images=", "1:5", ":5", "1:", "1:2:3", "pvc,bmg,host", "pvc,,bmg", ",skl", "skl,",
    "custom,custom", "0,1.3,2", "0.", ".1", ",,7,", "999999.999999", "1000000"};

int main(void)
{
    if (freopen("/dev/null", "w", stderr) == NULL) // each refusal is named there
        return 1;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        uint8_t text[128];
        const size_t size = strlen(seeds[i]);
        memcpy(text, seeds[i], size);
        LLVMFuzzerTestOneInput(text, size);
        for (size_t at = 0; at < size; at++) {
            for (const char *other = "+,=.09x-"; *other; other++) {
                text[at] = (uint8_t)*other;
                LLVMFuzzerTestOneInput(text, size);
            }
            text[at] = (uint8_t)seeds[i][at];
        }
    }
    return 0;
}
