// SPDX-License-Identifier: MIT
//
// Mezzanine for C++17 and later. Includes every header except <mezzanine/level_zero.hpp> and
// <mezzanine/ze_result.hpp>, which need the headers of Level Zero.
//
//     #include <mezzanine/mezzanine.hpp>
//
//     mez::context context = mez::context::create();
//     mez::queue queue = mez::queue::create(context);
//     mez::kernel saxpy = mez::kernel::load(context, "saxpy.spv", "saxpy");
//     auto x = mez::alloc_shared<float>(context, n), y = mez::alloc_shared<float>(context, n);
//     queue.submit(saxpy, mez::range(n), mez::args(2.0f, x, y));
//     queue.wait();
//
// The C++ interface consists of these headers only. Every function calls the C function of the same
// name, which the C header describes. mez_queue_create is mez::queue::create, mez_queue_wait is
// queue.wait, and params are the C structs. Failures are thrown, or written to a std::error_code or
// a mez_error given as last argument; <mezzanine/caller.hpp> explains how. docs/cpp.md has more.
//
// Objects have one owner and can be moved, but not copied. mez::range, mez::args, mez::task and
// mez::here replace C's macros. Functions that belong to no object, such as mez_log_set_levels, are
// called as in C; mez::check throws their errors.

#ifndef MEZZANINE_MEZZANINE_HPP
#define MEZZANINE_MEZZANINE_HPP

#include <mezzanine/arguments.hpp>
#include <mezzanine/callback.hpp>
#include <mezzanine/caller.hpp>
#include <mezzanine/context.hpp>
#include <mezzanine/device.hpp>
#include <mezzanine/error.hpp>
#include <mezzanine/event.hpp>
#include <mezzanine/exception.hpp>
#include <mezzanine/handle.hpp>
#include <mezzanine/image.hpp>
#include <mezzanine/ipc.hpp>
#include <mezzanine/kernel.hpp>
#include <mezzanine/launch.hpp>
#include <mezzanine/memory.hpp>
#include <mezzanine/mezzanine.h>
#include <mezzanine/queue.hpp>
#include <mezzanine/recording.hpp>
#include <mezzanine/story.hpp>
#include <mezzanine/task.hpp>
#include <mezzanine/wait.hpp>

#endif
