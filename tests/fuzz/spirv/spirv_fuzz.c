// SPDX-License-Identifier: MIT
//
// Fuzz target of the SPIR-V reader: whatever the bytes, it says what is wrong or gives a module
// that can be asked everything. Built with -fsanitize=fuzzer this is a libFuzzer target; built
// plainly it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>

#include "use_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    use_all(bytes, size);
    return 0;
}

#ifdef MEZ_FUZZ_REPLAY
#include "files.h"

int main(int count, char **paths)
{
    for (int i = 1; i < count; i++) {
        size_t size;
        uint8_t *bytes = read_whole_file(paths[i], &size);
        LLVMFuzzerTestOneInput(bytes, size);
        free(bytes);
    }
    return 0;
}
#endif
