// SPDX-License-Identifier: MIT
//
// Questions about generic pointers.

#include "builtins.h"

uint zc_address_space_of(ulong worker, ulong address);

static bool BUILTIN is_in(const char *p, uint space)
{
    return zc_address_space_of(zc_get_context()->worker, (ulong)p) == space;
}

__global char *BUILTIN __spirv_GenericCastToPtrExplicit_ToGlobal(char *p, int storage_class)
{
    return is_in(p, ZC_SPACE_GLOBAL) ? (__global char *)p : 0;
}

__local char *BUILTIN __spirv_GenericCastToPtrExplicit_ToLocal(char *p, int storage_class)
{
    return is_in(p, ZC_SPACE_LOCAL) ? (__local char *)p : 0;
}

__private char *BUILTIN __spirv_GenericCastToPtrExplicit_ToPrivate(char *p, int storage_class)
{
    return is_in(p, ZC_SPACE_PRIVATE) ? (__private char *)p : 0;
}

// As SPIR-V's memory semantics have them; private memory has none.
int BUILTIN __spirv_GenericPtrMemSemantics(const char *p)
{
    return is_in(p, ZC_SPACE_LOCAL)    ? ZC_WAIT_ORDERS_LOCAL
           : is_in(p, ZC_SPACE_GLOBAL) ? ZC_WAIT_ORDERS_GLOBAL
                                       : 0;
}
