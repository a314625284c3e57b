// SPDX-License-Identifier: MIT
//
// Intel's driver opens libraries with RTLD_DEEPBIND, on which ASan and TSan end the process. This definition in the program
// itself (linked with -rdynamic) comes before libc's and takes the flag out.

#include <dlfcn.h>
#include <string.h>

#ifdef RTLD_DEEPBIND
__attribute__((visibility("default"))) void *dlopen(const char *file, int mode)
{
    void *next = dlsym(RTLD_NEXT, "dlopen");
    void *(*open)(const char *, int);
    memcpy(&open, &next, sizeof open);
    return open(file, mode & ~RTLD_DEEPBIND);
}
#endif
