// SPDX-License-Identifier: MIT
//
// The program of program.c by the headers for C++.

#include <cstdio>
#include <cstdlib>

#include <mezzanine/mezzanine.hpp>

static void run(const char *path)
{
    const mez::context context = mez::context::create();
    mez::queue queue = mez::queue::create(context);
    const mez::kernel scale = mez::kernel::load(context, path, "scale");
    const auto values = mez::alloc_shared<int>(context, 16);
    for (int i = 0; i < 16; i++)
        values[static_cast<std::size_t>(i)] = i;
    queue.submit(scale, mez::range(16), mez::args(3, values));
    queue.wait();
    const bool cpu = context.device_at(0).info()->type == MEZ_DEVICE_CPU;
    std::printf("scale: %d on a %s\n", values[10], cpu ? "CPU" : "GPU");
}

int main(int argc, char **argv)
{
    try {
        run(argc > 1 ? argv[1] : "scale.spv");
    } catch (const mez::exception &failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
