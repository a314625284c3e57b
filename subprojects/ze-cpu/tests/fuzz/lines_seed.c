// SPDX-License-Identifier: MIT
//
// What the replay of the line tables' reader reads the object of.

int main(void)
{
    return 0;
}
