// SPDX-License-Identifier: MIT
//
// What is the same for all work-items of a group in a kernel's body, and where they go together.
//
// The body has no phis: values that live across blocks lie in variables ("slots"), for which the pass
// reg2mem has seen. A value is "varying" when work-items may have different ones. A block is "divergent"
// when some work-items of the group may come by without the others.
//
// Work-items that end early do not make the others divergent: they are left behind.

#ifndef ZC_ENGINE_ANALYSIS_H
#define ZC_ENGINE_ANALYSIS_H

#include "build.h"
#include "flow.h"

// A loop at whose header all work-items meet, as if there were a barrier.
struct zc_meeting {
    LLVMBasicBlockRef block; // the header
    uint32_t header;
    uint64_t *blocks;  // of the loop
    bool leaves_apart; // work-items leave it after different numbers of rounds
    bool is_dropped;   // it turned out that they can't meet
};

struct zc_analysis {
    struct zc_build *build;
    bool is_row; // work-items differ in x alone
    struct zc_flow flow;
    struct zc_meeting *meetings;
    uint32_t meeting_count;
    struct zc_map varying; // values and slots
    struct zc_map taken;   // variables of which more is done than loading and storing them
    uint64_t *divergent;   // blocks
    uint64_t *apart;       // blocks of loops that work-items leave apart
    uint8_t *written;      // for each block: memory that may have been since all met
    uint64_t *reached;     // while blocks are marked
};

// Takes the kernel's meetings. False: no memory, or too large.
bool zc_analysis_init(
    struct zc_analysis *analysis, struct zc_build *build, struct zc_kernel_build *kernel);
void zc_analysis_finish(struct zc_analysis *analysis);

bool zc_is_varying(const struct zc_analysis *analysis, LLVMValueRef value);
// A variable that is only loaded and stored as a whole.
bool zc_is_slot(const struct zc_analysis *analysis, LLVMValueRef value);
// Do all work-items that come by leave the block the same way?
bool zc_branches_together(const struct zc_analysis *analysis, uint32_t block);
// The meeting whose loop the block is in; NULL: none.
const struct zc_meeting *zc_meeting_around(const struct zc_analysis *analysis, uint32_t block);

// The block behind its loop where all who leave it meet again; ZC_NO_BLOCK: none.
uint32_t zc_meeting_end(const struct zc_analysis *analysis, const struct zc_meeting *meeting);
// Once more, after meetings were dropped.
void zc_analysis_run(struct zc_analysis *analysis);

// By how many bytes an address differs between neighbours in x; ZC_UNKNOWN_STRIDE: nobody knows.
#define ZC_UNKNOWN_STRIDE INT64_MIN
int64_t zc_stride_of(const struct zc_analysis *analysis, LLVMValueRef value);

// Is it a load of a word of the context? Which one; ZC_CONTEXT_WORDS: one that is computed.
bool zc_is_context_load(struct zc_build *build, LLVMValueRef value, unsigned *word);
bool zc_is_context_call(LLVMValueRef value);

#endif
