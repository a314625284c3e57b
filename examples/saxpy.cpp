// SPDX-License-Identifier: MIT
//
// saxpy.c in C++: objects free themselves, and the story of the first failure comes as an exception.
//
//     saxpy_cpp [saxpy.spv]

#include <cstdlib>
#include <iostream>

#include <mezzanine/mezzanine.hpp>

static void run(const char *path)
{
    const std::size_t n = 1000;
    const mez::context context = mez::context::create();
    mez::queue queue = mez::queue::create(context);
    const mez::kernel saxpy = mez::kernel::load(context, path, "saxpy");
    const auto x = mez::alloc_shared<float>(context, n);
    const auto y = mez::alloc_shared<float>(context, n);

    for (std::size_t i = 0; i < n; i++) {
        x[i] = static_cast<float>(i);
        y[i] = 1.0f;
    }

    // Submitting returns at once; only after a wait has the kernel run for certain.
    queue.submit(saxpy, mez::range(n), mez::args(2.0f, x, y));
    queue.wait();

    std::cout << "saxpy: y[0] = " << y[0] << ", y[1] = " << y[1] << ", y[" << n - 1
              << "] = " << y[n - 1] << '\n';
}

int main(int argc, char **argv)
{
    try {
        run(argc > 1 ? argv[1] : "saxpy.spv");
    } catch (const mez::exception &failure) {
        std::cerr << failure.what() << '\n';
        if (failure.code() == mez::errc::platform)
            std::cerr << "saxpy: there is no device; \"mez info\" shows what Mezzanine sees\n";
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
