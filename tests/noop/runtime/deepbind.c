// SPDX-License-Identifier: MIT
//
// The sanitizers end a program that opens a library with RTLD_DEEPBIND, as Intel's driver does. The program's own dlopen comes
// first in the search order, and takes that flag away.

#include <dlfcn.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(file, mode & ~RTLD_DEEPBIND);
}
#endif
