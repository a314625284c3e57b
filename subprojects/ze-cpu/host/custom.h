// SPDX-License-Identifier: MIT
//
// The persona that ZE_CPU_FEATURES describes: a list of words such as
// "fp16,atomic64,sub-groups=8+16,group-size=512,ip-version=0x03000000".
#ifndef ZE_CPU_CUSTOM_H
#define ZE_CPU_CUSTOM_H

#include "persona.h"

#define ZC_CUSTOM_PERSONA "custom"

// A word that is not accepted is named on stderr.
ze_result_t zc_custom_persona_read(struct zc_persona *persona);
// For other personas: refuses a description that nobody would read.
ze_result_t zc_custom_persona_refuse(void);

#endif
