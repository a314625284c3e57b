// SPDX-License-Identifier: MIT
//
// A library that needs another one, which can be taken away.

int needed(void);
int needy(void);

int needy(void)
{
    return needed();
}
