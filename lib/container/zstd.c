// SPDX-License-Identifier: MIT

#include "container/zstd.h"

#include <zstd.h>

#include "base/alloc.h"
#include "base/bytes.h"

#define LEVEL 10

bool mez_zstd_recognise(const void *bytes, size_t size)
{
    return size >= 4 && mez_read_u32(bytes) == ZSTD_MAGICNUMBER;
}

typedef struct unpacking {
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer in;
    uint8_t *piece; // what comes out, a piece at a time
    size_t piece_size;
    size_t limit;
    const char *source;
    bool is_larger;
} unpacking;

static mez_error damaged(const unpacking *it, const char *why)
{
    return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: damaged zstd data at offset %zu of %zu: %s",
        it->source, it->in.pos, it->in.size, why);
}

static mez_error too_large(unpacking *it)
{
    it->is_larger = true;
    return mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "%s: unpacks to more than %zu bytes", it->source, it->limit);
}

// Most frames say beforehand how large they are, which may be wrong, but is reason enough to unpack none of one that is too large.
static bool announces_more(const unpacking *it)
{
    const unsigned long long size = ZSTD_getFrameContentSize(it->in.src, it->in.size);
    return size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR && size > it->limit;
}

static mez_error unpack_pieces(unpacking *it, mez_bytes *unpacked)
{
    const size_t before = unpacked->size;
    if (announces_more(it))
        return too_large(it);
    for (;;) {
        ZSTD_outBuffer out = {.dst = it->piece, .size = it->piece_size};
        const size_t wanted = ZSTD_decompressStream(it->zstd, &out, &it->in);
        if (ZSTD_isError(wanted))
            return damaged(it, ZSTD_getErrorName(wanted));
        if (out.pos > it->limit - (unpacked->size - before))
            return too_large(it);
        mez_bytes_add(unpacked, it->piece, out.pos);
        if (unpacked->failed)
            return mez_error_no_memory("unpacked device code");
        const bool flushed = out.pos < out.size;
        if (flushed && it->in.pos == it->in.size)
            return wanted == 0 ? mez_ok() : damaged(it, "it ends too early");
        if (wanted == 0 && it->in.pos == it->in.size)
            return mez_ok();
    }
}

mez_error mez_zstd_unpack(const void *bytes, size_t size, size_t limit, const char *source,
    mez_bytes *unpacked, bool *is_larger)
{
    unpacking it = {
        .zstd = ZSTD_createDCtx(),
        .in = {.src = bytes, .size = size},
        .piece_size = ZSTD_DStreamOutSize(),
        .limit = limit,
        .source = source,
    };
    it.piece = mez_alloc_array(it.piece_size, 1);
    const mez_error error =
        it.zstd && it.piece ? unpack_pieces(&it, unpacked) : mez_error_no_memory("unpacking");
    mez_free_memory(it.piece);
    ZSTD_freeDCtx(it.zstd);
    *is_larger = it.is_larger;
    return error;
}

mez_error mez_zstd_pack(const void *bytes, size_t size, mez_bytes *packed)
{
    const size_t room = ZSTD_compressBound(size);
    void *frame = mez_alloc_array(room, 1);
    if (!frame)
        return mez_error_no_memory("packed device code");
    const size_t used = ZSTD_compress(frame, room, bytes, size, LEVEL);
    if (!ZSTD_isError(used))
        mez_bytes_add(packed, frame, used);
    mez_free_memory(frame);
    return ZSTD_isError(used) || packed->failed ? mez_error_no_memory("packed device code")
                                                : mez_ok();
}
