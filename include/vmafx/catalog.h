// What this build can do: metrics with their options, models, instruction sets.
#ifndef VMAFX_CATALOG_H_
#define VMAFX_CATALOG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vmafx {

// Of this library: "0.1.0".
std::string_view version();

struct OptionInfo {
  std::string name;
  std::string alias;  // may be empty
  std::string help;
  std::string default_value;
  std::string range;    // "1..100", "true, false", "a, b, c"
  bool in_key = false;  // a value other than the default is part of the report keys
};

struct MetricInfo {
  std::string name;
  std::string summary;
  std::vector<OptionInfo> options;
  std::vector<std::string> keys;  // with default options; aggregates last
  std::string smallest;           // picture, of 4:2:0 and 8 bits: "17x17"
};

// In the order of the documentation.
std::vector<MetricInfo> list_metrics();
bool has_metric(std::string_view name);

struct CpuInfo {
  int threads = 1;                     // that the machine runs at once
  std::string target;                  // the instruction set in use: "AVX2"
  std::vector<std::string> compiled;   // best first
  std::vector<std::string> supported;  // by this machine, best first
};

CpuInfo cpu_info();

// libvmaf's mask of instruction sets not to use. x86: SSE2 1, SSSE3 2, SSE4.1 4, AVX2 8, AVX-512
// 16, AVX-512 ICL 32; Arm: NEON 1, SVE2 2; each goes with those that build on it. Process-wide, so
// to be called while no session measures; changes speed only, never a score.
void disable_instruction_sets(std::uint64_t mask);

// True if the module that opens containers can be loaded; loads it.
bool can_open_containers();

}  // namespace vmafx

#endif  // VMAFX_CATALOG_H_
