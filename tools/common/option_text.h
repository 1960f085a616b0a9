// The texts that options of both tools take: "psnr=enable_mse=true", "version=vmaf_v0.6.1:name=a",
// numbers.
#ifndef VMAFX_TOOLS_COMMON_OPTION_TEXT_H_
#define VMAFX_TOOLS_COMMON_OPTION_TEXT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vmafx/model.h"
#include "vmafx/picture.h"
#include "vmafx/report.h"
#include "vmafx/status.h"

namespace vmafx::tools {

struct KeyValue {
  // The part of the key before its first '.', where it has one that no backslash precedes.
  std::string scope;
  std::string key;
  std::optional<std::string> value;  // a bare word has none
};

// Splits "key=value:key=value". The first '=' ends the key; later ones belong to the value. A
// backslash before
// ':', '=', '.' or '\' in a key takes that sign as it is. In a value backslashes are plain, except
// a run right before ':', '=' or the end, which is read in pairs. A letter, ':' and '\' or '/' at
// the start of a key or a value is a Windows drive.
std::vector<KeyValue> split_pairs(std::string_view text);

struct FeatureRequest {
  std::string name;
  std::map<std::string, std::string> options;
};

// "name" or "name=option=value:option=value". kUsage names the part that is wrong.
Result<FeatureRequest> parse_feature(std::string_view text);

// "version=", "path=", "name=", "disable_clip", "enable_transform" and "<metric>.<option>=<value>",
// separated by ':'. A first word without '=' is a built-in name, or a path if it ends in ".json" or
// names a folder.
Result<ModelSpec> parse_model(std::string_view text);

// As C reads numbers: decimal, 0x hexadecimal or 0 octal. No sign.
std::optional<std::uint64_t> parse_number(std::string_view text);

// "400", "420", "422", "444".
std::optional<Chroma> parse_chroma(std::string_view text);

// "1".."17", "max", "full" or "legacy".
std::optional<Precision> parse_precision(std::string_view text);

// "1920x1080:420:8" or "1920x1080:420" (8 bit).
Result<PictureFormat> parse_raw_format(std::string_view text);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_OPTION_TEXT_H_
