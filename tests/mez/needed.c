// SPDX-License-Identifier: MIT
//
// What another library needs, or what is there twice.

int needed(void);

int needed(void)
{
    return 1;
}
