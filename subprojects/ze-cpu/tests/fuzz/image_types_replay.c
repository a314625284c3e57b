// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives the target a text, each of its beginnings, and the text with each bit changed.

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char text[] =
    "define spir_kernel void @f(target(\"spirv.Image\", void, 1, 0, 0, 0, 0, 0, 0) %0, "
    "target(\"spirv.Sampler\") %1) {\n"
    "  %2 = call target(\"spirv.SampledImage\", void, 1, 0, 0, 0, 0, 0, 0) @g()\n"
    "  ret void\n}\n";

int main(void)
{
    uint8_t *bytes = (uint8_t *)text;
    const size_t size = sizeof(text) - 1;
    for (size_t length = 0; length <= size; length++)
        LLVMFuzzerTestOneInput(bytes, length);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        LLVMFuzzerTestOneInput(bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    return 0;
}
