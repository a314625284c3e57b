// SPDX-License-Identifier: MIT
//
// File descriptors that stand for memory, and who closes them. Drivers differ in that: some close the descriptor with the
// memory, some leave it to their user, and none says so. So we remember which file it was, and close it if it is still there.

#ifndef MEZ_MEMORY_DESCRIPTOR_H
#define MEZ_MEMORY_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct mez_descriptor {
    int32_t fd;
    int32_t known;          // 0: there is no descriptor, and nothing else counts
    uint64_t device, inode; // of the file, to know it by
} mez_descriptor;

// Is `fd` open, and does it stand for memory (a memfd or a dma-buf)? A driver's handle need not begin with a descriptor.
bool mez_descriptor_read(int fd, mez_descriptor *descriptor);

// Is fd the same file as the descriptor's?
bool mez_descriptor_matches(const mez_descriptor *descriptor, int fd);

// How many bytes of memory a descriptor stands for; `unknown` where its file does not say.
uint64_t mez_descriptor_size(int fd, uint64_t unknown);

// Closes it unless somebody has.
void mez_descriptor_finish(const mez_descriptor *descriptor);

// A descriptor of this process for another one's; -1 with errno.
int mez_descriptor_fetch(const mez_descriptor *descriptor, pid_t process);

#endif
