// SPDX-License-Identifier: MIT
//
// Kernels that use functions of two libraries, and as LIBRARY 1 and 2 those libraries, which have variables of the same name.

#ifdef LIBRARY
global int level = LIBRARY;
global int spare;
static global int buried;

#if LIBRARY == 1
int first(void)
#else
int second(void)
#endif
{
    return level++ + buried++;
}
#else
int first(void);
int second(void);

kernel void uses_first(global int *x)
{
    x[0] = first();
}

kernel void uses_second(global int *x)
{
    x[0] = second();
}
#endif
