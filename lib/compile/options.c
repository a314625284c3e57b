// SPDX-License-Identifier: MIT

#include "compile/options.h"

#include <string.h>
#include <strings.h>

// Options whose value stands in the same word or in the next one.
static const char *const with_value[] = {"-D", "-U", "-I", "-include", "-imacros", "-isystem",
    "-idirafter", "-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
    "-Xclang", "-Xpreprocessor", "-mllvm", "--param"};

// What chooses the input, the output, the machine, or how far the compiler goes; an end of '*': whatever is behind it.
static const char *const not_for_users[] = {"-", "-c", "-S", "-E", "-o*", "-x*", "-emit-*",
    "-target*", "--target*", "-arch", "-m32", "-m64", "-M*", "-save-temps*", "--save-temps*",
    "-fsyntax-only", "-###", "--analyze", "--version", "-version", "--help*", "-help", "-h",
    "-print-*", "--print-*", "-dump*", "-working-directory*", "--serialize-diagnostics",
    "-finclude-default-header", "@*", "-ccc-*", "--driver-mode*", "--output*", "--language*",
    "--compile", "--assemble", "--preprocess", "--write-*", "--dependencies", "--user-dependencies",
    "--precompile", "--target-help", "-verify-pch", "-rewrite-*"};

// The same of what stands behind -Xclang, for the compiler behind the driver, and behind -mllvm.
static const char *const not_for_frontend[] = {"-E", "-S", "-o", "-x", "-emit-*", "-triple",
    "-fsyntax-only", "-ast-*", "-analyze", "-dump-*", "-print-*", "-dependency-*", "-M*",
    "-main-file-name", "-init-only", "-Eonly", "-version", "--version", "-help", "--help",
    "-rewrite-*", "-code-completion-at*"};
static const char *const not_for_llvm[] = {"-version", "--version", "-help*", "--help*"};

static bool matches(const char *word, const char *pattern)
{
    const size_t length = strlen(pattern);
    return pattern[length - 1] == '*' ? strncmp(word, pattern, length - 1) == 0
                                      : strcmp(word, pattern) == 0;
}

static bool is_one_of(const char *word, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (matches(word, patterns[i]))
            return true;
    return false;
}

#define IS_ONE_OF(word, patterns) is_one_of(word, patterns, sizeof(patterns) / sizeof *(patterns))

bool mez_compile_option_takes_next(const char *word)
{
    return IS_ONE_OF(word, with_value);
}

static mez_error refuse(const char *word, const char *value)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s%s%s can't be used here: the compiler's options don't choose input, target and output",
        word, value ? " " : "", value ? value : "");
}

// What the word hands on to another part of the compiler as its value, behind a '=' or in the next word; NULL: nothing.
static const char *handed_on(const char *word, const char *by, const char *next)
{
    const size_t length = strlen(by);
    if (strncmp(word, by, length) != 0 || (word[length] && word[length] != '='))
        return NULL;
    return word[length] ? word + length + 1 : next;
}

// "-Wp,-MD,FILE": the preprocessor's own.
static bool asks_preprocessor_for_list(const char *word)
{
    return strncmp(word, "-Wp,", 4) == 0 && strstr(word, ",-M");
}

static mez_error check_handed_on(const char *word, const char *next)
{
    const char *frontend = handed_on(word, "-Xclang", next);
    const char *llvm = handed_on(word, "-mllvm", next);
    const char *preprocessor = handed_on(word, "-Xpreprocessor", next);
    if ((frontend && IS_ONE_OF(frontend, not_for_frontend)) ||
        (llvm && IS_ONE_OF(llvm, not_for_llvm)) ||
        (preprocessor && IS_ONE_OF(preprocessor, not_for_users)))
        return refuse(word, next && strchr(word, '=') == NULL ? next : NULL);
    return asks_preprocessor_for_list(word) ? refuse(word, NULL) : mez_ok();
}

static mez_error check(const char *word, const char *next)
{
    if (word[0] != '-' && word[0] != '@')
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "\"%s\" is not an option", word);
    if (IS_ONE_OF(word, not_for_users))
        return refuse(word, NULL);
    if (mez_compile_option_takes_next(word) && !next)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "the option %s has no value", word);
    return check_handed_on(word, next);
}

static bool is_cxx(const char *standard)
{
    return strncasecmp(standard, "clc++", 5) == 0;
}

// The last one holds, as it does for clang.
static void note(const char *word, mez_compile_options *options)
{
    if (strncmp(word, "-O", 2) == 0) {
        options->level = true;
        options->optimise = strcmp(word, "-O0") != 0;
    } else if (strcmp(word, "-cl-opt-disable") == 0 && !options->level) {
        options->level = true;
        options->optimise = false;
    } else if (strncmp(word, "-cl-std=", 8) == 0) {
        options->standard = true;
        options->cxx = is_cxx(word + 8);
    }
}

mez_error mez_compile_options_read(const mez_words *words, mez_compile_options *options)
{
    *options = (mez_compile_options){.optimise = true};
    for (size_t i = 0; words && i < words->count; i++) {
        MEZ_TRY(check(words->items[i], words->items[i + 1]));
        note(words->items[i], options);
        i += mez_compile_option_takes_next(words->items[i]);
    }
    return mez_ok();
}
