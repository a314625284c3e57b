// SPDX-License-Identifier: MIT
//
// ELF sections, and the line programs of DWARF. A program is a row of instructions for a machine with an address, a file and a
// line; each sequence of its rows says from which address on which line counts. Addresses are relocated: the place that says
// where a sequence begins has an entry in .rela.debug_line, whose symbol names the section.

#include "line_table.h"

#include <elf.h>
#include <string.h>

struct sections {
    struct zc_span object;
    const Elf64_Ehdr *header;
    uint64_t count;
};

static bool has(struct zc_span span, uint64_t offset, uint64_t size)
{
    return offset <= span.size && size <= span.size - offset;
}

static const void *at(struct zc_span span, uint64_t offset)
{
    return (const char *)span.data + offset;
}

static bool open_object(struct zc_span object, struct sections *sections)
{
    Elf64_Ehdr header;
    if (!has(object, 0, sizeof header))
        return false;
    memcpy(&header, object.data, sizeof header);
    *sections = (struct sections){object, object.data, header.e_shnum};
    return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
           header.e_shentsize == sizeof(Elf64_Shdr) &&
           has(object, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
}

static bool read_section(const struct sections *sections, uint64_t index, Elf64_Shdr *section)
{
    Elf64_Ehdr header;
    memcpy(&header, sections->object.data, sizeof header);
    if (index >= sections->count)
        return false;
    memcpy(
        section, at(sections->object, header.e_shoff + index * sizeof *section), sizeof *section);
    return true;
}

static struct zc_span content_of(const struct sections *sections, const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS ||
        !has(sections->object, section->sh_offset, section->sh_size))
        return (struct zc_span){0};
    return (struct zc_span){at(sections->object, section->sh_offset), section->sh_size};
}

// A text in a table of texts; "" where there is none.
static const char *text_at(struct zc_span texts, uint64_t offset)
{
    if (offset >= texts.size || memchr(at(texts, offset), '\0', texts.size - offset) == NULL)
        return "";
    return at(texts, offset);
}

static struct zc_span content_at(const struct sections *sections, uint64_t index)
{
    Elf64_Shdr section;
    return read_section(sections, index, &section) ? content_of(sections, &section)
                                                   : (struct zc_span){0};
}

static uint16_t names_index(const struct sections *sections)
{
    Elf64_Ehdr header;
    memcpy(&header, sections->object.data, sizeof header);
    return header.e_shstrndx;
}

static bool find_section(const struct sections *sections, const char *name, Elf64_Shdr *section)
{
    const struct zc_span names = content_at(sections, names_index(sections));
    for (uint64_t i = 0; i < sections->count; i++)
        if (read_section(sections, i, section) &&
            strcmp(text_at(names, section->sh_name), name) == 0)
            return true;
    return false;
}

static bool read_symbol(struct zc_span symbols, uint64_t index, Elf64_Sym *symbol)
{
    if (index >= symbols.size / sizeof *symbol)
        return false;
    memcpy(symbol, at(symbols, index * sizeof *symbol), sizeof *symbol);
    return true;
}

bool zc_object_find_symbol(struct zc_span object, const char *name, struct zc_object_symbol *found)
{
    struct sections sections;
    Elf64_Shdr table, section;
    Elf64_Sym symbol;
    if (!open_object(object, &sections) || !find_section(&sections, ".symtab", &table))
        return false;
    const struct zc_span symbols = content_of(&sections, &table);
    const struct zc_span names = content_at(&sections, table.sh_link);
    for (uint64_t i = 0; read_symbol(symbols, i, &symbol); i++) {
        if (strcmp(text_at(names, symbol.st_name), name) != 0 ||
            !read_section(&sections, symbol.st_shndx, &section))
            continue;
        *found = (struct zc_object_symbol){symbol.st_shndx, symbol.st_value, section.sh_size};
        return true;
    }
    return false;
}

// --- Reading

// Goes on with zeros behind the end, and remembers that.
struct reader {
    struct zc_span bytes;
    uint64_t next;
    bool over;
};

static uint64_t read_number(struct reader *reader, unsigned size)
{
    uint64_t value = 0;
    if (!has(reader->bytes, reader->next, size)) {
        reader->over = true;
        return 0;
    }
    memcpy(&value, at(reader->bytes, reader->next), size); // little-endian, as what it runs on
    reader->next += size;
    return value;
}

static uint64_t read_leb(struct reader *reader, bool is_signed)
{
    uint64_t value = 0, byte = 0x80;
    for (unsigned shift = 0; (byte & 0x80) != 0 && !reader->over; shift += 7) {
        byte = read_number(reader, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        if (is_signed && (byte & 0xc0) == 0x40 && shift + 7 < 64)
            value |= UINT64_MAX << (shift + 7);
    }
    return value;
}

static const char *read_text(struct reader *reader)
{
    const char *text = text_at(reader->bytes, reader->next);
    if (*text == '\0' && read_number(reader, 1) != 0)
        reader->over = true;
    else if (*text != '\0')
        reader->next += strlen(text) + 1;
    return text;
}

// --- Line programs

struct row {
    uint64_t address;
    uint64_t file;
    uint64_t line;
    bool in_section; // the sequence is of the section that is looked for
};

struct program {
    struct reader reader; // to the program's end
    const struct sections *sections;
    uint64_t start; // of reader.bytes in .debug_line
    uint8_t least_length, line_range, opcode_base;
    int8_t line_base;
    uint8_t lengths[256]; // of standard instructions
    uint64_t files;       // where the list of files begins
    struct row row;
    struct row last; // the row before, with a line
    uint32_t wanted_section;
    uint64_t wanted;
    uint64_t found_file, found_line; // 0: nothing yet
};

// Where the linker would put the address of a sequence: the symbol's section and an offset in it.
static bool find_relocation(const struct program *program, uint64_t place, uint64_t *address)
{
    Elf64_Shdr table, relocated;
    Elf64_Rela entry;
    Elf64_Sym symbol;
    if (!find_section(program->sections, ".rela.debug_line", &relocated) ||
        !read_section(program->sections, relocated.sh_link, &table))
        return false;
    const struct zc_span entries = content_of(program->sections, &relocated);
    const struct zc_span symbols = content_of(program->sections, &table);
    for (uint64_t i = 0; i < entries.size / sizeof entry; i++) {
        memcpy(&entry, at(entries, i * sizeof entry), sizeof entry);
        if (entry.r_offset != place || !read_symbol(symbols, ELF64_R_SYM(entry.r_info), &symbol))
            continue;
        *address = symbol.st_value + (uint64_t)entry.r_addend;
        return symbol.st_shndx == program->wanted_section;
    }
    return false;
}

static void begin_sequence(struct program *program)
{
    program->row = (struct row){.file = 1, .line = 1};
    program->last = (struct row){.line = 0};
}

// Rows cover the addresses up to the next one. Instructions of no line belong to the one before.
static void emit_row(struct program *program)
{
    const struct row *last = &program->last;
    if (last->line != 0 && last->in_section && last->address <= program->wanted &&
        program->wanted < program->row.address) {
        program->found_file = last->file;
        program->found_line = last->line;
    }
    if (program->row.line != 0)
        program->last = program->row;
}

static void run_extended(struct program *program)
{
    struct reader *reader = &program->reader;
    const uint64_t length = read_leb(reader, false);
    const uint64_t end = reader->next + length;
    if (length == 0 || !has(reader->bytes, reader->next, length)) {
        reader->over = true;
        return;
    }
    switch (read_number(reader, 1)) {
    case 1: // DW_LNE_end_sequence
        emit_row(program);
        begin_sequence(program);
        break;
    case 2: // DW_LNE_set_address
        program->row.in_section =
            find_relocation(program, program->start + reader->next, &program->row.address);
        break;
    default:
        break;
    }
    reader->next = end;
}

static void advance(struct program *program, uint64_t instructions)
{
    program->row.address += instructions * program->least_length;
}

static void run_standard(struct program *program, uint8_t opcode)
{
    struct reader *reader = &program->reader;
    switch (opcode) {
    case 1: // DW_LNS_copy
        emit_row(program);
        return;
    case 2: // DW_LNS_advance_pc
        advance(program, read_leb(reader, false));
        return;
    case 3: // DW_LNS_advance_line
        program->row.line += read_leb(reader, true);
        return;
    case 4: // DW_LNS_set_file
        program->row.file = read_leb(reader, false);
        return;
    case 8: // DW_LNS_const_add_pc
        advance(program, (255u - program->opcode_base) / program->line_range);
        return;
    case 9: // DW_LNS_fixed_advance_pc
        program->row.address += read_number(reader, 2);
        return;
    default:
        for (uint8_t i = 0; i < program->lengths[opcode]; i++)
            read_leb(reader, false);
    }
}

static void run_special(struct program *program, uint8_t opcode)
{
    const uint8_t adjusted = (uint8_t)(opcode - program->opcode_base);
    advance(program, adjusted / program->line_range);
    program->row.line += (uint64_t)(int64_t)(program->line_base + adjusted % program->line_range);
    emit_row(program);
}

static void run(struct program *program)
{
    begin_sequence(program);
    while (!program->reader.over && program->reader.next < program->reader.bytes.size &&
           program->found_line == 0) {
        const uint8_t opcode = (uint8_t)read_number(&program->reader, 1);
        if (opcode == 0)
            run_extended(program);
        else if (opcode < program->opcode_base)
            run_standard(program, opcode);
        else
            run_special(program, opcode);
    }
}

// The reader stands behind the version. Leaves it at the program's first instruction.
static bool read_header(struct program *program, uint16_t version)
{
    struct reader *reader = &program->reader;
    const uint64_t length = read_number(reader, 4);
    const uint64_t first = reader->next + length;
    program->least_length = (uint8_t)read_number(reader, 1);
    if (version >= 4)
        read_number(reader, 1); // instructions of a bundle
    read_number(reader, 1);     // are instructions statements?
    program->line_base = (int8_t)read_number(reader, 1);
    program->line_range = (uint8_t)read_number(reader, 1);
    program->opcode_base = (uint8_t)read_number(reader, 1);
    for (unsigned i = 1; i < program->opcode_base; i++)
        program->lengths[i] = (uint8_t)read_number(reader, 1);
    while (!reader->over && *read_text(reader) != '\0')
        continue; // folders
    program->files = reader->next;
    if (reader->over || program->line_range == 0 || !has(reader->bytes, 0, first))
        return false;
    reader->next = first;
    return true;
}

static const char *file_name(const struct program *program, uint64_t number)
{
    struct reader reader = {.bytes = program->reader.bytes, .next = program->files};
    while (!reader.over) {
        const char *name = read_text(&reader);
        if (*name == '\0')
            break;
        if (--number == 0)
            return name;
        for (int i = 0; i < 3; i++)
            read_leb(&reader, false); // folder, time, size
    }
    return "";
}

// One unit's program, of `bytes` at `start` of the section; its length has been read.
static bool look_through(struct program *program, struct zc_source_line *line)
{
    const uint16_t version = (uint16_t)read_number(&program->reader, 2);
    if (version < 2 || version > 4 || !read_header(program, version))
        return false;
    run(program);
    if (program->found_line == 0 || program->found_line > UINT32_MAX)
        return false;
    *line = (struct zc_source_line){
        file_name(program, program->found_file), (uint32_t)program->found_line};
    return *line->file != '\0';
}

bool zc_line_table_find(
    struct zc_span object, uint32_t section, uint64_t offset, struct zc_source_line *line)
{
    struct sections sections;
    Elf64_Shdr table;
    if (!open_object(object, &sections) || !find_section(&sections, ".debug_line", &table))
        return false;
    const struct zc_span all = content_of(&sections, &table);
    struct reader units = {.bytes = all};
    while (units.next < all.size) {
        const uint64_t length = read_number(&units, 4);
        if (units.over || !has(all, units.next, length))
            return false;
        struct program program = {.reader = {.bytes = {at(all, units.next), length}},
            .sections = &sections,
            .start = units.next,
            .wanted_section = section,
            .wanted = offset};
        if (look_through(&program, line))
            return true;
        units.next += length;
    }
    return false;
}
