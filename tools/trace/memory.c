// SPDX-License-Identifier: MIT

#include "memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

_Static_assert(sizeof(struct trace_ring) == 128, "the sides of a ring share no cache line");

static size_t round_up(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static size_t slots_offset(void)
{
    return round_up(sizeof(struct trace_head));
}

static size_t guesses_offset(void)
{
    return slots_offset() + round_up(TRACE_STRING_SLOTS * sizeof(uint32_t));
}

static size_t strings_offset(void)
{
    return guesses_offset() + round_up(TRACE_STRING_GUESSES * sizeof(uint32_t));
}

static size_t rings_offset(void)
{
    return strings_offset() + round_up(TRACE_STRING_BYTES);
}

static size_t words_offset(void)
{
    return rings_offset() + round_up(TRACE_RINGS * sizeof(struct trace_ring));
}

static size_t total_size(size_t ring_words)
{
    return words_offset() + TRACE_RINGS * ring_words * sizeof(uint64_t);
}

static bool map(struct trace_memory *memory, int file, size_t size)
{
    char *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (start == MAP_FAILED)
        return false;
    *memory = (struct trace_memory){
        .head = (struct trace_head *)start,
        .slots = (_Atomic uint32_t *)(start + slots_offset()),
        .guesses = (_Atomic uint32_t *)(start + guesses_offset()),
        .strings = start + strings_offset(),
        .rings = (struct trace_ring *)(start + rings_offset()),
        .words = (uint64_t *)(start + words_offset()),
        .ring_words = (size - words_offset()) / (TRACE_RINGS * sizeof(uint64_t)),
        .size = size,
    };
    return true;
}

static bool fill(struct trace_memory *memory, int file, size_t ring_words)
{
    const size_t size = total_size(ring_words);
    if (ftruncate(file, (off_t)size) != 0 || !map(memory, file, size))
        return false;
    memory->head->magic = TRACE_MAGIC;
    memory->head->size = size;
    memory->head->ring_words = ring_words;
    return true;
}

int trace_memory_create(struct trace_memory *memory, size_t ring_words)
{
    const int file = memfd_create("mez-trace", MFD_CLOEXEC);
    if (file < 0 || fill(memory, file, ring_words))
        return file;
    const int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

static bool is_ours(const struct trace_memory *memory)
{
    const uint64_t words = memory->ring_words;
    return memory->head->magic == TRACE_MAGIC && memory->head->size == memory->size &&
           memory->head->ring_words == words && words > 0 && (words & (words - 1)) == 0;
}

bool trace_memory_map(struct trace_memory *memory, int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    if (status.st_size >= (off_t)total_size(1)) {
        if (!map(memory, file, (size_t)status.st_size))
            return false;
        if (is_ours(memory))
            return true;
        trace_memory_finish(memory);
    }
    errno = EINVAL;
    return false;
}

void trace_memory_finish(struct trace_memory *memory)
{
    if (memory->head)
        munmap(memory->head, memory->size);
    *memory = (struct trace_memory){0};
}
