// SPDX-License-Identifier: MIT
//
// Saying what is wrong with a module, and what files are that people take for SPIR-V.

#include "spirv/module.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum mez_spirv_status mez_spirv_fail(struct mez_spirv_problem *problem,
    enum mez_spirv_status status, size_t word, const char *format, ...)
{
    if (!problem)
        return status;

    problem->status = status;
    problem->word = word;

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return status;
}

// --- Files by their first bytes

static const struct signature {
    const char *start;
    size_t length;
    const char *meaning;
} signatures[] = {
#define STARTS_WITH(text, meaning)     \
    {                                  \
        text, sizeof text - 1, meaning \
    }
    STARTS_WITH("BC\xC0\xDE", "LLVM bitcode; translate it with llvm-spirv"),
    STARTS_WITH("\xDE\xC0\x17\x0B", "LLVM bitcode; translate it with llvm-spirv"),
    STARTS_WITH("; ModuleID", "LLVM assembly; run llvm-as, then llvm-spirv"),
    STARTS_WITH("target datalayout", "LLVM assembly; run llvm-as, then llvm-spirv"),
    STARTS_WITH("119734787 ", "llvm-spirv's text form; run llvm-spirv -to-binary"),
    STARTS_WITH("; SPIR-V", "SPIR-V assembly; run spirv-as"),
    STARTS_WITH("\x7F"
                "ELF",
        "an ELF file, such as an object file or a native device binary"),
    STARTS_WITH("__CLANG_OFFLOAD_BUNDLE__",
        "a bundle of device images; take it apart with clang-offload-bundler"),
    STARTS_WITH(
        "CCOB", "a compressed bundle of device images; take it apart with clang-offload-bundler"),
    STARTS_WITH("\x10\xFF\x10\xAD", "an offload binary; take it apart with clang-offload-packager"),
    STARTS_WITH("PK\x03\x04", "a zip archive; unpack it first"),
    STARTS_WITH("\x1F\x8B", "compressed by gzip; unpack it first"),
    STARTS_WITH("\x28\xB5\x2F\xFD", "compressed by zstd; unpack it first"),
    STARTS_WITH("!<arch>\n", "an archive of object files; unpack it with ar"),
#undef STARTS_WITH
};

static bool is_text(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const bool space = bytes[i] >= '\t' && bytes[i] <= '\r';
        if (!space && (bytes[i] < ' ' || bytes[i] == 0x7F))
            return false;
    }
    return true;
}

static bool contains(const unsigned char *bytes, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(bytes + i, word, length) == 0)
            return true;
    }
    return false;
}

const char *mez_spirv_recognise(const void *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        if (size >= signatures[i].length &&
            memcmp(bytes, signatures[i].start, signatures[i].length) == 0)
            return signatures[i].meaning;
    }
    if (size == 0 || !is_text(bytes, size))
        return NULL;
    if (contains(bytes, size, "kernel"))
        return "OpenCL C: mez_image_load compiles it where the file is called *.cl, "
               "mez_image_create a text that is given as .source; else compile it first, with "
               "\"mez compile FILE -o OUT.spv\"";
    return "a text file";
}
