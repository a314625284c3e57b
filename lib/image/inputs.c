// SPDX-License-Identifier: MIT

#include "image/inputs.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/check.h"
#include "spirv/reader.h"
#include "spirv/rename.h"

// Without it 22.43 hides program-scope variables from zeModuleGetGlobalPointer.
#define TAKE_GLOBALS " -ze-take-global-address "

// Of a module of its own: without it others can't be linked to the library later.
#define LIBRARY_FLAGS " -library-compilation" TAKE_GLOBALS

static mez_error to_error(enum mez_spirv_status status, const struct mez_spirv_problem *problem)
{
    switch (status) {
    case MEZ_SPIRV_OK:
        return mez_ok();
    case MEZ_SPIRV_NO_MEMORY:
        return mez_error_no_memory("a copy of an image");
    default:
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s", problem->text);
    }
}

static mez_error rename_symbol(const struct mez_spirv_module *module, const char *from,
    const char *to, uint32_t what, struct mez_spirv_module **renamed)
{
    struct mez_spirv_problem problem;
    uint32_t *words, count;
    enum mez_spirv_status status =
        mez_spirv_rename(module, from, to, what, &problem, &words, &count);
    if (status == MEZ_SPIRV_OK)
        status = mez_spirv_module_create(words, (size_t)count * sizeof *words, &problem, renamed);
    mez_free_memory(words);
    return to_error(status, &problem);
}

// The variables are taken by address; who links needs a space at the end (compile.c). Not a mez_text, which would drop flags
// where memory is short.
static char *make_flags(const mez_image *image, const mez_assert_plan *plan)
{
    if (!plan->record && !plan->library && !plan->c_assert)
        return mez_copy_string(image->build_flags);
    const size_t size = sizeof TAKE_GLOBALS + strlen(image->build_flags) + 1;
    char *flags = mez_alloc_array(size, 1);
    if (flags)
        snprintf(flags, size, "%s%s ", plan->record ? TAKE_GLOBALS : " ", image->build_flags);
    return flags;
}

static mez_error take_image(const mez_image *image, const mez_assert_plan *plan, mez_inputs *inputs)
{
    inputs->flags = make_flags(image, plan);
    if (!inputs->flags)
        return mez_error_no_memory("build flags");
    if (plan->renames)
        MEZ_TRY(rename_symbol(image->spirv, MEZ_ASSERT_FAIL, MEZ_ASSERT_FAIL_RENAMED,
            MEZ_RENAME_IMPORTS | MEZ_RENAME_EXPORTS, &inputs->renamed));
    const struct mez_spirv_module *spirv = inputs->renamed ? inputs->renamed : image->spirv;
    inputs->codes[inputs->count++] = (mez_code){
        .bytes = spirv->words,
        .size = (size_t)spirv->word_count * sizeof *spirv->words,
        .flags = inputs->flags,
        .constants = mez_constants_get(&image->constants),
    };
    return mez_ok();
}

mez_error mez_inputs_init(const mez_image *image, const mez_assert_plan *plan, mez_inputs *inputs)
{
    *inputs = (mez_inputs){0};
    MEZ_TRY(take_image(image, plan, inputs));
    if (plan->library)
        inputs->codes[inputs->count++] =
            (mez_code){plan->library->code, *plan->library->size, LIBRARY_FLAGS, NULL};
    if (plan->c_assert) {
        mez_code *code = &inputs->codes[inputs->count++];
        code->bytes = mez_devicelib_c_assert(plan->renames, &code->size);
        code->flags = "";
    }
    return mez_ok();
}

void mez_inputs_finish(mez_inputs *inputs)
{
    mez_spirv_module_destroy(&inputs->renamed);
    mez_free_memory(inputs->flags);
}
