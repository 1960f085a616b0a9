// The sets of models and features that codec test conditions prescribe.
#ifndef VMAFX_TOOLS_COMMON_PRESETS_H_
#define VMAFX_TOOLS_COMMON_PRESETS_H_

#include <string_view>

#include "common/scoring.h"

namespace vmafx::tools {

// Adds what AOM's common test conditions of that version ("v1.0".."v7.0") ask for.
Status add_aom_ctc(std::string_view version, ScoringJob& job);
// The same for Netflix's ("v1.0").
Status add_nflx_ctc(std::string_view version, ScoringJob& job);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_PRESETS_H_
