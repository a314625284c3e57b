// SPDX-License-Identifier: MIT
//
// Fuzz target of the check that a handle of shared memory must pass: whatever the bytes, they are refused with words, or mean
// something that can be. The bytes are tried as they are, and with the checksum put right, for chance never finds that. Built
// with -fsanitize=fuzzer this is a libFuzzer target; built plainly it tries each file it is given, and what it makes of a good
// handle.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/ipc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void require_words(mez_error error)
{
    char story[512];
    mez_error_get_story(error, story, sizeof story);
    require(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER), "refused for another reason");
    require(strstr(story, "the bytes can't be opened: ") != NULL, "refused without a message");
}

static bool check(const mez_ipc_message *message)
{
    const mez_error error = mez_ipc_check(message);
    if (mez_failed(error)) {
        require_words(error);
        return false;
    }
    require(message->size > 0 && message->size <= PTRDIFF_MAX, "a size that can't be");
    require(message->process > 0, "a process that can't be");
    require(!message->descriptor.known || message->descriptor.fd >= 0, "no descriptor");
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_ipc_message message = {0};
    memcpy(&message, bytes, size < sizeof message ? size : sizeof message);
    check(&message);
    mez_ipc_seal(&message);
    check(&message);
    return 0;
}

#ifdef MEZ_FUZZ_REPLAY
static mez_ipc_message good_message(void)
{
    mez_ipc_message message = {.process = 1, .size = 4096};
    message.descriptor = (mez_descriptor){.fd = 7, .known = 1, .device = 1, .inode = 2};
    memcpy(message.ze.data, &message.descriptor.fd, sizeof message.descriptor.fd);
    mez_ipc_seal(&message);
    return message;
}

// Every bit of it turned, and every length.
static void try_around(const mez_ipc_message *good)
{
    require(check(good), "a good handle is refused");
    for (size_t bit = 0; bit < sizeof *good * 8; bit++) {
        mez_ipc_message bad = *good;
        ((uint8_t *)&bad)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        require(!check(&bad), "a damaged handle is accepted");
        LLVMFuzzerTestOneInput((const uint8_t *)&bad, sizeof bad);
    }
    for (size_t size = 0; size <= sizeof *good; size++)
        LLVMFuzzerTestOneInput((const uint8_t *)good, size);
}

static void replay(FILE *file)
{
    uint8_t bytes[sizeof(mez_ipc_message)];
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        LLVMFuzzerTestOneInput(bytes, size);
}

int main(int count, char **paths)
{
    const mez_ipc_message good = good_message();
    try_around(&good);
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(paths[i], "r");
        if (!file) {
            perror(paths[i]);
            return 1;
        }
        replay(file);
        fclose(file);
    }
    return 0;
}
#endif
