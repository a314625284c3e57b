// SPDX-License-Identifier: MIT

#include "check/place.h"

#include "spirv/opcodes.h"

static bool uses_import(const mez_requirement *requirement)
{
    return requirement->kind == MEZ_REQUIRES_DEFINITION ||
           (requirement->kind == MEZ_REQUIRES_ASSERT_FUNCTION && requirement->import);
}

bool mez_check_find_place(const mez_requirement *requirement, struct mez_spirv_place *place)
{
    *place = (struct mez_spirv_place){0};
    if (requirement->survey && uses_import(requirement))
        return mez_spirv_survey_find_import(requirement->survey, requirement->function,
                   requirement->import, place) == MEZ_SPIRV_OK;
    return requirement->survey && requirement->kind == MEZ_REQUIRES_ASPECT &&
           mez_spirv_survey_find_use(requirement->survey, requirement->function,
               requirement->aspect.name, place) == MEZ_SPIRV_OK;
}

static void add_line(mez_text *text, const struct mez_spirv_source_line *line)
{
    if (!line->file)
        return;
    mez_text_add(text, " (%s:%u", line->file, line->line);
    if (line->column)
        mez_text_add(text, ":%u", line->column);
    mez_text_add(text, ")");
}

static void add_steps(mez_text *text, const struct mez_spirv_place *place)
{
    if (place->step_count < 2)
        return;
    mez_text_add(text, ", reached by ");
    for (uint32_t i = 0; i < place->step_count; i++)
        mez_text_add(text, "%s%s", i ? " -> " : "", place->steps[i].function->name);
}

static void add_place(mez_text *text, const struct mez_spirv_place *place)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    mez_text_add(text, "%s in function \"%s\"",
        place->declared ? "the declaration" : mez_spirv_opcode_name(place->opcode, room),
        place->function->name);
    add_line(text, &place->line);
    add_steps(text, place);
}

static const char *function_name(const mez_requirement *requirement)
{
    return requirement->survey->module->functions[requirement->function].name;
}

static bool is_mode(const mez_requirement *requirement)
{
    return requirement->kind == MEZ_REQUIRES_SUB_GROUP_SIZE ||
           requirement->kind == MEZ_REQUIRES_GROUP_SIZE;
}

void mez_check_add_place(mez_text *text, const mez_requirement *requirement)
{
    struct mez_spirv_place place = {0};
    mez_text_add(text, "for ");
    if (requirement->kind == MEZ_REQUIRES_ARCHITECTURE)
        mez_text_add(text, "all kernels of the image: it is native code");
    else if (!requirement->survey)
        mez_text_add(text, "all kernels of the image: its properties say so");
    else if (mez_check_find_place(requirement, &place))
        add_place(text, &place);
    else if (is_mode(requirement))
        mez_text_add(text, "OpExecutionMode of kernel \"%s\"", function_name(requirement));
    else
        mez_text_add(text, "function \"%s\"", function_name(requirement));
    mez_spirv_place_finish(&place);
}
