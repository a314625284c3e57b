// SPDX-License-Identifier: MIT
//
// A kernel is cut where its work-items meet, and each piece becomes a loop over work-items ("loop
// fission"):
//
//     a; barrier(); b        for all i: a(i)
//                            for all i: b(i)
//
// Work-items meet at barriers because they have to. They also meet at the headers of innermost loops where
// that makes the loop over work-items the innermost one, which LLVM can vectorise:
//
//     for k: c               for k: for all i: c(i, k)
//
// as long as all go the same number of rounds, or with a flag for each that says whether it is still in the
// loop. So a kernel without barriers is vectorised over work-items, too.
//
// Stages: the bodies are simplified and values that are cheap are computed again where they are used
// (rematerialise.c), loops are chosen (meetings.c), phis and values that cross blocks become variables (LLVM's
// pass reg2mem), what is the same for all work-items is found (analysis.c), the body is cut (regions.c) and
// emitted (fission_emit.c). What can't be cut is left to coroutine.c and wrapper.c: barriers that only
// some work-items come to as far as can be seen, bodies that would grow too much, code that is checked, and code
// with debug information, in which a debugger should find what the source has.

#include "fission.h"

#include <stdlib.h>
#include <string.h>

#define SIMPLIFY "function(sroa,early-cse,instcombine,simplifycfg)"

// Strips are on the stack.
#define MAX_STRIP_SIZE (32 * 1024)

static bool has_struct(const struct zc_kernel_build *kernel)
{
    const unsigned byval = zc_attribute_kind("byval");
    for (unsigned i = 0; i < LLVMCountParams(kernel->body); i++) {
        if (LLVMGetEnumAttributeAtIndex(kernel->body, i + 1, byval) != NULL)
            return true;
    }
    return false;
}

static bool is_candidate(const struct zc_build *build, const struct zc_kernel_build *kernel)
{
    return build->optimise && !build->has_debug_info && build->checks == 0 &&
           build->mode == ZC_MODE_FISSION && !has_struct(kernel);
}

// A variable's lifetime ends in one region and begins in another.
static void forget_lifetimes(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        LLVMUseRef use;
        while (zc_has_prefix(zc_name_of(f), "llvm.lifetime.") && (use = LLVMGetFirstUse(f)))
            LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
}

static void set_linkages(struct zc_build *build, LLVMLinkage linkage)
{
    for (uint32_t i = 0; i < build->kernel_count; i++)
        LLVMSetLinkage(build->kernels[i].body, linkage);
}

static bool prepare(struct zc_build *build, struct zc_kernel_build *kernel)
{
    if (!is_candidate(build, kernel) || LLVMCountBasicBlocks(kernel->body) > ZC_MAX_BLOCKS)
        return true; // of too many blocks the analysis won't make loops either
    const uint32_t width = kernel->info->required_group_size[0];
    const bool wanted = width == 0 || width > 3; // shorter rows are not worth vectors
    if (!zc_meetings_choose(build, kernel->body, wanted, &kernel->meetings, &kernel->meeting_count))
        return false;
    zc_rematerialise(build, kernel->body);
    return true;
}

bool zc_fission_prepare(struct zc_build *build)
{
    bool any = false;
    for (uint32_t i = 0; i < build->kernel_count; i++)
        any |= is_candidate(build, &build->kernels[i]);
    if (!any)
        return true;
    set_linkages(build, LLVMExternalLinkage); // nobody calls them yet
    bool ok =
        zc_run_passes(build, build->module, "always-inline,globaldce") &&
        zc_run_passes(build, build->module,
            SIMPLIFY ",cgscc(inline,function-attrs)," SIMPLIFY ",function(loop(loop-rotate))");
    if (ok)
        forget_lifetimes(build);
    for (uint32_t i = 0; ok && i < build->kernel_count; i++)
        ok = prepare(build, &build->kernels[i]);
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
    ok = ok && zc_run_passes(build, build->module, "function(dce,reg2mem)");
    set_linkages(build, LLVMInternalLinkage);
    return ok;
}

static LLVMValueRef address_of_access(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        return LLVMGetOperand(instruction, 0);
    return LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;
}

// Neighbours that touch neighbouring memory, or the same, are good for vectors.
static bool is_faster(const struct zc_analysis *analysis, const struct zc_meeting *meeting)
{
    int good = 0, bad = 0;
    for (uint32_t b = 0; b < analysis->flow.count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(analysis->flow.blocks[b]);
        for (; zc_set_has(meeting->blocks, b) && i != NULL; i = LLVMGetNextInstruction(i)) {
            unsigned word;
            LLVMValueRef address = address_of_access(i);
            if (address == NULL || zc_is_slot(analysis, address) ||
                zc_is_context_load(analysis->build, i, &word))
                continue;
            const int64_t stride = zc_stride_of(analysis, address);
            if (stride != ZC_UNKNOWN_STRIDE && llabs(stride) <= 8)
                good++;
            else
                bad++;
        }
    }
    return bad == 0 || bad < good;
}

// Counts the loops where work-items meet, after dropping those that would not be faster.
static uint32_t keep_what_is_faster(struct zc_analysis *analysis)
{
    uint32_t kept = 0;
    bool dropped = false;
    for (uint32_t m = 0; m < analysis->meeting_count; m++) {
        struct zc_meeting *meeting = &analysis->meetings[m];
        if (!meeting->is_dropped && !is_faster(analysis, meeting))
            meeting->is_dropped = dropped = true;
    }
    if (dropped)
        zc_analysis_run(analysis);
    for (uint32_t m = 0; m < analysis->meeting_count; m++)
        kept += !analysis->meetings[m].is_dropped;
    return kept;
}

static bool fits_on_stack(const struct zc_regions *regions)
{
    uint64_t size = 0;
    for (uint32_t n = 0; n < regions->slot_count; n++)
        size +=
            regions->slots[n].is_varying && regions->slots[n].is_kept ? regions->slots[n].size : 0;
    return size * ZC_STRIP <= MAX_STRIP_SIZE;
}

static bool emit(
    struct zc_build *build, struct zc_kernel_build *kernel, const struct zc_analysis *analysis)
{
    struct zc_regions regions;
    const bool ok = zc_regions_init(&regions, analysis) &&
                    (kernel->info->has_barrier || fits_on_stack(&regions)) &&
                    zc_fission_emit(build, kernel, &regions);
    zc_regions_finish(&regions);
    return ok;
}

static void drop_all(struct zc_analysis *analysis)
{
    for (uint32_t m = 0; m < analysis->meeting_count; m++)
        analysis->meetings[m].is_dropped = true;
    zc_analysis_run(analysis);
}

bool zc_fission_create(struct zc_build *build, struct zc_kernel_build *kernel)
{
    if (!is_candidate(build, kernel) || kernel->meetings == NULL)
        return false;
    struct zc_analysis analysis;
    bool ok = zc_analysis_init(&analysis, build, kernel);
    if (ok) {
        const bool some = keep_what_is_faster(&analysis) > 0;
        ok = (some || kernel->info->has_barrier) && emit(build, kernel, &analysis);
        if (!ok && some && kernel->info->has_barrier) { // the barriers alone may still do
            drop_all(&analysis);
            ok = emit(build, kernel, &analysis);
        }
    }
    zc_analysis_finish(&analysis);
    return ok;
}
