// SPDX-License-Identifier: MIT

#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_stream(FILE *file)
{
    char *text = NULL;
    size_t size = 0, room = 0;
    do {
        room += 65536;
        char *larger = realloc(text, room + 1);
        if (!larger)
            break;
        text = larger;
        size += fread(text + size, 1, room - size, file);
    } while (size == room);
    if (text)
        text[size] = 0;
    return text;
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? read_stream(file) : NULL;
    if (!text)
        perror(path);
    if (file)
        fclose(file);
    return text;
}

bool write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        ok = fclose(file) == 0 && ok;
    if (!ok)
        perror(path);
    return ok;
}

bool each_file(const char *folder, bool (*visit)(const char *path, void *context), void *context)
{
    DIR *open = opendir(folder);
    if (!open) {
        perror(folder);
        return false;
    }
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(open));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = visit(path, context);
    }
    closedir(open);
    return ok;
}

static bool remove_file(const char *path, void *context)
{
    (void)context;
    if (unlink(path))
        perror(path);
    return true;
}

void remove_folder(const char *folder)
{
    each_file(folder, remove_file, NULL);
    if (rmdir(folder))
        perror(folder);
}
