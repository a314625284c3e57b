// SPDX-License-Identifier: MIT
//
// Who can run a native binary.

#include "identity.h"
#include "target.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm/Config/llvm-config.h>

static char engine[128];
static char *processor;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// A note of the linker's: a sum over the whole library.
static bool is_build_id(const ElfW(Nhdr) * note)
{
    return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof(ELF_NOTE_GNU) &&
           memcmp(note + 1, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0;
}

static size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

static void print_build_id(const uint8_t *id, size_t size)
{
    char text[2 * 32 + 1] = "";
    for (size_t i = 0; i < size && i < sizeof(text) / 2; i++)
        snprintf(text + 2 * i, sizeof(text) - 2 * i, "%02x", id[i]);
    snprintf(engine, sizeof(engine), "ze-cpu engine %s, LLVM " LLVM_VERSION_STRING, text);
}

static void search_notes(const uint8_t *notes, size_t size)
{
    const ElfW(Nhdr) * note;
    for (size_t at = 0; at + sizeof(*note) <= size;
         at += sizeof(*note) + padded(note->n_namesz) + padded(note->n_descsz)) {
        note = (const void *)(notes + at);
        if (is_build_id(note))
            print_build_id(notes + at + sizeof(*note) + padded(note->n_namesz), note->n_descsz);
    }
}

static bool has_address(const struct dl_phdr_info *object, const void *address)
{
    const uintptr_t offset = (uintptr_t)address - object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && offset >= header->p_vaddr &&
            offset - header->p_vaddr < header->p_memsz)
            return true;
    }
    return false;
}

// Called for each library of the process; stops at ours.
static int visit_object(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!has_address(object, engine))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_NOTE)
            search_notes((const uint8_t *)(object->dlpi_addr + header->p_vaddr), header->p_memsz);
    }
    return 1;
}

// Of "+sse2,-avx" only what is there.
static void keep_present(char *features)
{
    char *to = features;
    for (char *from = features, *end; *from != '\0'; from = end) {
        end = from + strcspn(from, ",");
        end += *end == ',';
        if (*from != '+')
            continue;
        memmove(to, from, (size_t)(end - from));
        to += end - from;
    }
    *to = '\0';
}

static void find(void)
{
    print_build_id(NULL, 0);
    dl_iterate_phdr(visit_object, NULL);
    const struct zc_target *target = zc_target();
    char *features = target != NULL ? strdup(target->features) : NULL;
    if (features == NULL)
        return;
    keep_present(features);
    if (asprintf(&processor, "%s %s %s", target->triple, target->processor, features) < 0)
        processor = NULL;
    free(features);
}

const char *zc_identity_engine(void)
{
    pthread_once(&once, find);
    return engine;
}

const char *zc_identity_processor(void)
{
    pthread_once(&once, find);
    return processor;
}

char *zc_identity_device(const struct zc_features *features, bool native_asserts, uint32_t checks)
{
    char *text = NULL;
    const int length = asprintf(&text,
        "fp16 %d, fp64 %d, images %d, int64 atomics %d, sub-groups 0x%x, checks 0x%x, "
        "native asserts %d",
        features->fp16, features->fp64, features->images, features->int64_atomics,
        features->sub_group_sizes, checks, native_asserts);
    return length < 0 ? NULL : text;
}

static bool has_feature(const char *list, const char *feature, size_t length)
{
    for (const char *at = list; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        if (strcspn(at, ",") == length && memcmp(at, feature, length) == 0)
            return true;
    }
    return false;
}

static bool has_features(const char *list, const char *wanted)
{
    for (const char *at = wanted; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        if (!has_feature(list, at, strcspn(at, ",")))
            return false;
    }
    return true;
}

// The texts are "triple processor features"; the processor's name does not matter.
static bool can_run(const char *wanted)
{
    const char *own = zc_identity_processor();
    const char *own_features = own != NULL ? strrchr(own, ' ') : NULL;
    const char *features = strrchr(wanted, ' ');
    const size_t triple = strcspn(wanted, " ");
    return own_features != NULL && features != NULL && strcspn(own, " ") == triple &&
           memcmp(own, wanted, triple) == 0 && has_features(own_features + 1, features + 1);
}

static bool refuse(struct zc_log *log, const char *what, const char *made, const char *here)
{
    zc_log_add(
        log, "error: the native binary was made %s '%s', but this is '%s'", what, made, here);
    return false;
}

bool zc_identity_check(struct zc_log *log, const struct zc_native *native, const char *device)
{
    if (strcmp(native->engine, zc_identity_engine()) != 0)
        return refuse(log, "by", native->engine, zc_identity_engine());
    if (!can_run(native->processor))
        return refuse(log, "for the processor", native->processor,
            zc_identity_processor() != NULL ? zc_identity_processor() : "unknown");
    if (strcmp(native->device, device) != 0)
        return refuse(log, "for a device with", native->device, device);
    return true;
}
