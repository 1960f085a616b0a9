#include "models/libsvm_text.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "base/number.h"
#include "fmt/format.h"

namespace vmafx {
namespace {

// Values of all support vectors together: 128 MiB. Support vectors are sparse in the file and dense
// here, so a small file could ask for any amount.
constexpr std::size_t kMaxValues = std::size_t{1} << 24;

constexpr std::string_view kBlank = " \t\r";

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Empty at the end of the line.
std::string_view next_word(std::string_view& line) {
  const std::size_t start = line.find_first_not_of(kBlank);
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start);
  const std::string_view word = line.substr(0, line.find_first_of(kBlank));
  line.remove_prefix(word.size());
  return word;
}

// What the file says is quoted in errors, but not all of it.
std::string_view shown(std::string_view text) { return text.substr(0, 40); }

class Parser {
 public:
  Parser(std::string_view text, std::size_t features) : rest_(text), features_(features) {}

  Result<LibsvmModel> parse() {
    if (auto status = parse_head(); !status) return status.error();
    if (auto status = parse_vectors(); !status) return status.error();
    return std::move(model_);
  }

 private:
  Error error(std::string what) const {
    return {ErrorCode::kBadInput, fmt::format("line {}: {}", line_number_, what), ""};
  }

  std::optional<std::string_view> read_line() {
    if (rest_.empty()) return std::nullopt;
    ++line_number_;
    return next_line(rest_);
  }

  Status parse_head() {
    while (auto line = read_line()) {
      const std::string_view key = next_word(*line);
      if (key == "SV") return check_head();
      const std::string_view value = next_word(*line);
      if (auto status = parse_parameter(key, value); !status) return status;
    }
    return error("ends before the support vectors");
  }

  Status parse_parameter(std::string_view key, std::string_view value) {
    if (key == "svm_type") {
      if (value == "nu_svr" || value == "epsilon_svr") return {};
      return error(fmt::format("svm_type '{}' is not nu_svr", shown(value)));
    }
    if (key == "kernel_type") {
      if (value == "rbf") return {};
      return error(fmt::format("kernel_type '{}' is not rbf", shown(value)));
    }
    if (key == "gamma") return parse_number(key, value, gamma_);
    if (key == "rho") return parse_number(key, value, rho_);
    if (key == "total_sv") return parse_count(value);
    // Neither takes part in the prediction of a regression.
    if (key == "nr_class" || key == "probA") return {};
    return error(fmt::format("'{}' is not a parameter of a regression", shown(key)));
  }

  Status parse_number(std::string_view key, std::string_view value, std::optional<double>& out) {
    out = parse_double(value);
    if (!out) return error(fmt::format("{} '{}' is not a finite number", key, shown(value)));
    return {};
  }

  Status parse_count(std::string_view value) {
    const auto count = parse_int(value);
    if (!count || *count < 1) {
      return error(fmt::format("total_sv '{}' is not a positive number", shown(value)));
    }
    if (static_cast<std::uint64_t>(*count) > kMaxValues / features_) {
      return error(fmt::format("total_sv {} with {} features is too large", *count, features_));
    }
    count_ = static_cast<std::size_t>(*count);
    return {};
  }

  Status check_head() {
    const char* missing = !gamma_ ? "gamma" : !rho_ ? "rho" : count_ == 0 ? "total_sv" : nullptr;
    if (missing != nullptr) return error(fmt::format("no {} before the support vectors", missing));
    if (*gamma_ <= 0) return error(fmt::format("gamma {:g} is not positive", *gamma_));
    model_.gamma = *gamma_;
    model_.rho = *rho_;
    return {};
  }

  Status parse_vectors() {
    while (auto line = read_line()) {
      const std::string_view weight = next_word(*line);
      if (weight.empty()) continue;
      if (model_.weights.size() == count_) {
        return error(fmt::format("more support vectors than total_sv {}", count_));
      }
      if (auto status = parse_vector(weight, *line); !status) return status;
    }
    if (model_.weights.size() == count_) return {};
    return error(
        fmt::format("{} support vectors instead of total_sv {}", model_.weights.size(), count_));
  }

  Status parse_vector(std::string_view weight_text, std::string_view line) {
    const auto weight = parse_double(weight_text);
    if (!weight)
      return error(fmt::format("weight '{}' is not a finite number", shown(weight_text)));
    model_.weights.push_back(*weight);
    model_.points.resize(model_.points.size() + features_);
    double* const point = model_.points.data() + model_.points.size() - features_;

    std::int64_t last = 0;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      const std::size_t colon = word.find(':');
      const auto index = parse_int(word.substr(0, colon));
      const auto value =
          colon == std::string_view::npos ? std::nullopt : parse_double(word.substr(colon + 1));
      if (!index || !value) {
        return error(fmt::format("'{}' is not index:number", shown(word)));
      }
      if (*index < 1 || static_cast<std::uint64_t>(*index) > features_) {
        return error(fmt::format("index {} is not in 1..{}, the features", *index, features_));
      }
      if (*index <= last) {
        return error(fmt::format("index {} follows {}: not ascending", *index, last));
      }
      point[*index - 1] = *value;
      last = *index;
    }
    return {};
  }

  std::string_view rest_;
  std::size_t features_;
  int line_number_ = 0;
  std::optional<double> gamma_;
  std::optional<double> rho_;
  std::size_t count_ = 0;
  LibsvmModel model_;
};

}  // namespace

Result<LibsvmModel> parse_libsvm(std::string_view text, std::size_t features) {
  return Parser(text, features).parse();
}

}  // namespace vmafx
