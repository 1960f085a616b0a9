// Results, for people.
#ifndef VMAFX_TOOLS_VMAFX_SUMMARY_H_
#define VMAFX_TOOLS_VMAFX_SUMMARY_H_

#include <cstdio>
#include <string>

#include "common/scoring.h"

namespace vmafx::tools {

// Standard output, but for a job whose report stands alone there.
std::FILE* screen_for(const ScoringJob& job);

// "model vmaf_v0.6.1 chosen: ..."
std::string choice_text(const ModelChoice& choice);
// "2 threads, AVX2"
std::string engine_text(int threads);

// Writes the report that the job asks for, shows the result of its one encode, and returns the exit
// code.
ExitCode write_and_show(const ScoringJob& job, const ScoringResult& result);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_VMAFX_SUMMARY_H_
