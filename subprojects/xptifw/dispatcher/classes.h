// SPDX-License-Identifier: MIT
//
// The four classes with virtual functions by which C++ looks at a trace point, laid out as in the Itanium C++ ABI: an object begins
// with a pointer to its class's functions, of which the first two are the destructors.

#ifndef XF_CLASSES_H
#define XF_CLASSES_H

typedef struct xf_object {
    const void *functions;
} xf_object;

struct xf_tracepoint;

void xf_set_classes(struct xf_tracepoint *it);

#endif
