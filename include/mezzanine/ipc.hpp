// SPDX-License-Identifier: MIT
//
// Device memory that processes share: <mezzanine/ipc.h>.
//
// Thread-safety: as there.

#ifndef MEZZANINE_IPC_HPP
#define MEZZANINE_IPC_HPP

#include <mezzanine/ipc.h>
#include <mezzanine/memory.hpp>

namespace mez
{

// Memory of another process, which is closed when the object is destroyed (mez_ipc_close).
template <class T> using ipc_memory = std::unique_ptr<T[], memory_deleter<mez_ipc_close_at>>;

inline mez_ipc_handle ipc_handle(const context &owner, const void *pointer, caller from = {})
{
    mez_ipc_handle handle = {};
    from.report(mez_ipc_get_handle_at(from.where(), owner.get(), pointer, &handle));
    return handle;
}

// If `on` is empty, the context's first device is used.
template <class T>
ipc_memory<T> ipc_open(
    const context &owner, device on, const mez_ipc_handle &handle, caller from = {})
{
    void *pointer = nullptr;
    from.report(mez_ipc_open_at(from.where(), owner.get(), on.get(), &handle, &pointer));
    return ipc_memory<T>(static_cast<T *>(pointer), memory_deleter<mez_ipc_close_at>(owner));
}

inline void ipc_send(const context &owner, const void *pointer, int socket, caller from = {})
{
    from.report(mez_ipc_send_at(from.where(), owner.get(), pointer, socket));
}

template <class T>
ipc_memory<T> ipc_receive(const context &owner, device on, int socket, caller from = {})
{
    void *pointer = nullptr;
    from.report(mez_ipc_receive_at(from.where(), owner.get(), on.get(), socket, &pointer));
    return ipc_memory<T>(static_cast<T *>(pointer), memory_deleter<mez_ipc_close_at>(owner));
}

} // namespace mez

#endif
