// SPDX-License-Identifier: MIT

#include "embed.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

// --- Names

char *embed_name(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    const bool digit = isdigit((unsigned char)*base);
    char *name = mez_print_string("%s%.*s_%s", digit ? "_" : "", length, base, ending);
    for (char *c = name; c && *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return name;
}

bool embed_is_name(const char *name)
{
    if (!*name || isdigit((unsigned char)*name))
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return !*name;
}

// Of C and C++, and what the header names.
static const char *const taken[] = {"auto", "break", "case", "char", "const", "continue", "default",
    "do", "double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
    "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
    "typedef", "union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Atomic",
    "_Bool", "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local",
    "asm", "alignas", "alignof", "and", "and_eq", "bitand", "bitor", "bool", "catch", "char8_t",
    "char16_t", "char32_t", "class", "compl", "concept", "consteval", "constexpr", "constinit",
    "const_cast", "co_await", "co_return", "co_yield", "decltype", "delete", "dynamic_cast",
    "explicit", "export", "false", "friend", "mutable", "namespace", "new", "noexcept", "not",
    "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "reinterpret_cast", "requires", "static_assert", "static_cast", "template", "this",
    "thread_local", "throw", "true", "try", "typeid", "typename", "typeof", "typeof_unqual",
    "using", "virtual", "wchar_t", "xor", "xor_eq", "size_t", "uint32_t", "NULL"};

// What other headers than ours and compilers define, often as macros, and what the linker takes for something else.
static const char *const known[] = {"EOF", "PTRDIFF_MAX", "PTRDIFF_MIN", "SIG_ATOMIC_MAX",
    "SIG_ATOMIC_MIN", "SIZE_MAX", "WCHAR_MAX", "WCHAR_MIN", "WINT_MAX", "WINT_MIN", "errno", "i386",
    "linux", "main", "max_align_t", "nullptr_t", "offsetof", "ptrdiff_t", "stderr", "stdin",
    "stdout", "unix", "unreachable"};

static bool begins(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static bool ends(const char *name, const char *end)
{
    const size_t length = strlen(name), size = strlen(end);
    return length > size && strcmp(name + length - size, end) == 0;
}

// <stdint.h> may define any of these: C11, 7.31.10.
static bool is_integer(const char *name)
{
    if (begins(name, "int") || begins(name, "uint"))
        return ends(name, "_t");
    return (begins(name, "INT") || begins(name, "UINT")) &&
           (ends(name, "_MAX") || ends(name, "_MIN") || ends(name, "_WIDTH") || ends(name, "_C"));
}

bool embed_is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    const bool reserved = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
    return reserved || is_integer(name);
}

bool embed_is_word(const char *name)
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return true;
    return false;
}

// --- Headers

static void add(mez_bytes *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Of numbers: names may be longer than the line.
static void add(mez_bytes *text, const char *format, ...)
{
    char line[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    mez_bytes_add_text(text, line);
}

static void add_name(mez_bytes *text, const char *before, const char *name, const char *behind)
{
    mez_bytes_add_text(text, before);
    mez_bytes_add_text(text, name);
    mez_bytes_add_text(text, behind);
}

// In a comment, which the end of a line would end.
static void add_source(mez_bytes *text, const char *source)
{
    mez_bytes_add_text(text, "// Made by mez compile of ");
    for (const char *c = source; *c; c++)
        mez_bytes_add(text, iscntrl((unsigned char)*c) ? "?" : c, 1);
    mez_bytes_add_text(text, ".\n\n");
}

static uint32_t word_at(const uint8_t *bytes, size_t size, size_t index)
{
    uint32_t word = 0;
    const size_t left = size - index * sizeof word;
    memcpy(&word, bytes + index * sizeof word, left < sizeof word ? left : sizeof word);
    return word;
}

void embed_header(
    const void *bytes, size_t size, const char *name, const char *source, mez_bytes *text)
{
    enum { WORDS_IN_LINE = 8 };
    const size_t count = (size + 3) / 4;
    add_source(text, source);
    add_name(text, "#ifndef MEZ_EMBEDDED_", name, "\n");
    add_name(text, "#define MEZ_EMBEDDED_", name, "\n\n");
    mez_bytes_add_text(text, "#include <stddef.h>\n#include <stdint.h>\n\n");
    add_name(text, "static const uint32_t ", name, "[] = {");
    for (size_t i = 0; i < count; i++)
        add(text, "%s0x%08x,", i % WORDS_IN_LINE ? " " : "\n    ",
            (unsigned)word_at(bytes, size, i));
    add_name(text, "\n};\nstatic const size_t ", name, "_size = ");
    add(text, "%zu;\n\n#endif\n", size);
}

// --- Objects

#if defined __x86_64__
#define MACHINE EM_X86_64
#elif defined __aarch64__
#define MACHINE EM_AARCH64
#endif

#ifdef MACHINE
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DATA ELFDATA2LSB
#else
#define DATA ELFDATA2MSB
#endif

enum { NOTHING, CODE, NOTE, SYMBOLS, STRINGS, SECTION_NAMES, SECTION_COUNT };

static const char section_names[] = "\0.rodata\0.note.GNU-stack\0.symtab\0.strtab\0.shstrtab";

static Elf64_Word name_of(const char *section)
{
    const char *found = memmem(section_names, sizeof section_names, section, strlen(section) + 1);
    return (Elf64_Word)(found - section_names);
}

// Adds a section's contents and notes where they are.
static void place(mez_bytes *object, Elf64_Shdr *header, const mez_bytes *contents)
{
    mez_bytes_align(object, header->sh_addralign);
    header->sh_offset = object->size;
    header->sh_size = contents->size;
    mez_bytes_append(object, contents);
}

static void add_rodata(const void *bytes, size_t size, mez_bytes *contents, size_t *size_at)
{
    const uint64_t number = size;
    mez_bytes_add(contents, bytes, size);
    mez_bytes_align(contents, sizeof number);
    *size_at = contents->size;
    mez_bytes_add(contents, &number, sizeof number);
}

static void add_symbol(mez_bytes *symbols, mez_bytes *strings, const char *name, const char *end,
    size_t at, size_t size)
{
    const Elf64_Sym symbol = {
        .st_name = (Elf64_Word)strings->size,
        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
        .st_shndx = CODE,
        .st_value = at,
        .st_size = size,
    };
    mez_bytes_add(symbols, &symbol, sizeof symbol);
    mez_bytes_add(strings, name, strlen(name));
    mez_bytes_add(strings, end, strlen(end) + 1);
}

static void add_symbols(
    const char *name, size_t size, size_t size_at, mez_bytes *symbols, mez_bytes *strings)
{
    const Elf64_Sym none = {0};
    mez_bytes_add(symbols, &none, sizeof none);
    mez_bytes_add_zeros(strings, 1);
    add_symbol(symbols, strings, name, "", 0, size);
    add_symbol(symbols, strings, name, "_size", size_at, sizeof(uint64_t));
}

static void write_object(const mez_bytes contents[SECTION_COUNT], mez_bytes *object)
{
    Elf64_Shdr headers[SECTION_COUNT] = {
        [CODE] = {.sh_name = name_of(".rodata"),
            .sh_type = SHT_PROGBITS,
            .sh_flags = SHF_ALLOC,
            .sh_addralign = 8},
        [NOTE] = {.sh_name = name_of(".note.GNU-stack"),
            .sh_type = SHT_PROGBITS,
            .sh_addralign = 1},
        [SYMBOLS] = {.sh_name = name_of(".symtab"),
            .sh_type = SHT_SYMTAB,
            .sh_link = STRINGS,
            .sh_info = 1,
            .sh_addralign = 8,
            .sh_entsize = sizeof(Elf64_Sym)},
        [STRINGS] = {.sh_name = name_of(".strtab"), .sh_type = SHT_STRTAB, .sh_addralign = 1},
        [SECTION_NAMES] = {.sh_name = name_of(".shstrtab"),
            .sh_type = SHT_STRTAB,
            .sh_addralign = 1},
    };
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, DATA, EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = MACHINE,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof header,
        .e_shentsize = sizeof *headers,
        .e_shnum = SECTION_COUNT,
        .e_shstrndx = SECTION_NAMES,
    };
    mez_bytes_add(object, &header, sizeof header);
    for (int i = CODE; i < SECTION_COUNT; i++)
        place(object, &headers[i], &contents[i]);
    mez_bytes_align(object, 8);
    header.e_shoff = object->size;
    mez_bytes_add(object, headers, sizeof headers);
    if (!object->failed)
        memcpy(object->data, &header, sizeof header);
}

bool embed_object(const void *bytes, size_t size, const char *name, mez_bytes *object)
{
    mez_bytes contents[SECTION_COUNT] = {{0}};
    size_t size_at;
    add_rodata(bytes, size, &contents[CODE], &size_at);
    add_symbols(name, size, size_at, &contents[SYMBOLS], &contents[STRINGS]);
    mez_bytes_add(&contents[SECTION_NAMES], section_names, sizeof section_names);
    for (int i = 0; i < SECTION_COUNT; i++)
        object->failed |= contents[i].failed;
    write_object(contents, object);
    for (int i = 0; i < SECTION_COUNT; i++)
        mez_bytes_finish(&contents[i]);
    return true;
}

#else

bool embed_object(const void *bytes, size_t size, const char *name, mez_bytes *object)
{
    (void)bytes, (void)size, (void)name, (void)object;
    return false;
}

#endif
