// SPDX-License-Identifier: MIT
//
// What user.cl imports, and a variable for the host to see.
__global uint calls = 0;

uint helper(uint number)
{
    atomic_inc((volatile __global uint *)&calls);
    return 3 * number;
}
