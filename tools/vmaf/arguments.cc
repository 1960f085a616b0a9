#include "arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <getopt.h>

#include "common/presets.h"

namespace vmafx::tools {
namespace {

enum LongOption : int {
  kXml = 256,
  kJson,
  kCsv,
  kSub,
  kThreads,
  kFeature,
  kSubsample,
  kGpuMask,
  kAomCtc,
  kNflxCtc,
  kFrameCount,
  kSkipReference,
  kSkipDistorted,
  kPrecision,
  kBackend,
  kHelp,
};

// The leading ':' makes getopt tell a missing argument from an unknown option.
constexpr const char* kShortOptions = ":r:d:w:h:p:b:m:c:o:nvq";

constexpr std::array kLongOptions = {
    option{"reference", required_argument, nullptr, 'r'},
    option{"distorted", required_argument, nullptr, 'd'},
    option{"width", required_argument, nullptr, 'w'},
    option{"height", required_argument, nullptr, 'h'},
    option{"pixel_format", required_argument, nullptr, 'p'},
    option{"bitdepth", required_argument, nullptr, 'b'},
    option{"model", required_argument, nullptr, 'm'},
    option{"output", required_argument, nullptr, 'o'},
    option{"xml", no_argument, nullptr, kXml},
    option{"json", no_argument, nullptr, kJson},
    option{"csv", no_argument, nullptr, kCsv},
    option{"sub", no_argument, nullptr, kSub},
    option{"threads", required_argument, nullptr, kThreads},
    option{"feature", required_argument, nullptr, kFeature},
    option{"subsample", required_argument, nullptr, kSubsample},
    option{"cpumask", required_argument, nullptr, 'c'},
    option{"gpumask", required_argument, nullptr, kGpuMask},
    option{"aom_ctc", required_argument, nullptr, kAomCtc},
    option{"nflx_ctc", required_argument, nullptr, kNflxCtc},
    option{"frame_cnt", required_argument, nullptr, kFrameCount},
    option{"frame_skip_ref", required_argument, nullptr, kSkipReference},
    option{"frame_skip_dist", required_argument, nullptr, kSkipDistorted},
    option{"no_prediction", no_argument, nullptr, 'n'},
    option{"version", no_argument, nullptr, 'v'},
    option{"quiet", no_argument, nullptr, 'q'},
    option{"precision", required_argument, nullptr, kPrecision},
    option{"backend", required_argument, nullptr, kBackend},
    option{"help", no_argument, nullptr, kHelp},
    // Prefixes that name one option of libvmaf's tool, and would not be unique with the three
    // above.
    option{"p", required_argument, nullptr, 'p'},
    option{"b", required_argument, nullptr, 'b'},
    option{"h", required_argument, nullptr, 'h'},
    option{"he", required_argument, nullptr, 'h'},
    option{nullptr, 0, nullptr, 0},
};

Failure usage(std::string message, std::string hint = "vmaf --help lists every option") {
  return {ExitCode::kFailure, {ErrorCode::kUsage, std::move(message), std::move(hint)}};
}

// "-w/--width", "--json".
std::string option_name(int code) {
  for (const option& known : kLongOptions)
    if (known.name != nullptr && known.val == code)
      return code < 256 ? fmt::format("-{}/--{}", static_cast<char>(code), known.name)
                        : fmt::format("--{}", known.name);
  return {};
}

Failure missing_argument(const char* argument) {
  return usage(fmt::format("option {} needs a value", argument));
}

// getopt found the argument to be no option, or not to be unique.
Failure unknown_option(std::string_view argument, int short_option) {
  // Inside a group such as -nZ, the argument is not yet the group.
  const bool is_short =
      short_option > 0 && short_option < 256 && std::strchr(kShortOptions, short_option) == nullptr;
  if (is_short || argument.substr(0, 2) != "--")
    return usage(fmt::format("there is no option -{}", static_cast<char>(short_option)));
  const std::string_view name = argument.substr(2, argument.find('=') - 2);
  std::vector<std::string> candidates;
  for (const option& known : kLongOptions)
    if (known.name != nullptr && std::string_view(known.name).substr(0, name.size()) == name &&
        std::strlen(known.name) > 2)
      candidates.push_back(fmt::format("--{}", known.name));
  if (candidates.empty()) return usage(fmt::format("there is no option --{}", name));
  if (candidates.size() == 1)
    return usage(fmt::format("option {} takes no value", candidates.front()));
  return usage(
      fmt::format("option --{} is not unique: it could be {}", name, fmt::join(candidates, ", ")));
}

// Raw video as it is described by four options, of which some may be missing.
struct RawOptions {
  std::optional<std::uint64_t> width;
  std::optional<std::uint64_t> height;
  std::optional<Chroma> chroma;
  std::optional<int> bit_depth;

  bool any() const { return width || height || chroma || bit_depth; }
};

class Parser {
 public:
  std::variant<Arguments, Failure> parse(int argc, char** argv) {
    ::opterr = 0;
    ::optind = 1;
    int code = 0;
    while (!failure_ &&
           (code = ::getopt_long(argc, argv, kShortOptions, kLongOptions.data(), nullptr)) != -1) {
      if (code == ':')
        failure_ = missing_argument(argv[::optind - 1]);
      else if (code == '?')
        failure_ = unknown_option(argv[::optind - 1], ::optopt);
      else if (code == kHelp || code == 'v')
        return only(code == kHelp ? Arguments::Action::kHelp : Arguments::Action::kVersion);
      else
        take(code, ::optarg);
    }
    if (!failure_ && ::optind < argc)
      failure_ = usage(fmt::format("unexpected argument \"{}\"", argv[::optind]),
                       "streams are given as -r REFERENCE -d DISTORTED");
    if (!failure_) complete();
    if (failure_) return *failure_;
    return std::move(arguments_);
  }

 private:
  static Arguments only(Arguments::Action action) {
    Arguments arguments;
    arguments.action = action;
    return arguments;
  }

  void take(int code, const char* text) {
    if (!take_flag(code) && !take_input(code, text) && !take_scoring(code, text))
      take_machine(code, text);
  }

  bool take_flag(int code) {
    switch (code) {
      case kXml:
        format_ = ReportFormat::kXml;
        return true;
      case kJson:
        format_ = ReportFormat::kJson;
        return true;
      case kCsv:
        format_ = ReportFormat::kCsv;
        return true;
      case kSub:
        format_ = ReportFormat::kSub;
        return true;
      case 'n':
        no_prediction_ = true;
        return true;
      case 'q':
        arguments_.quiet = true;
        return true;
      default:
        return false;
    }
  }

  bool take_input(int code, const char* text) {
    ScoringJob& job = arguments_.job;
    switch (code) {
      case 'r':
        job.reference.path = text;
        return true;
      case 'd':
        job.distorted[0].path = text;
        return true;
      case 'w':
        raw_.width = number(code, text, 1, kMaxDimension);
        return true;
      case 'h':
        raw_.height = number(code, text, 1, kMaxDimension);
        return true;
      case 'p':
        raw_.chroma = parse_chroma(text);
        if (!raw_.chroma) reject(code, text, "420, 422, 444 or 400");
        return true;
      case 'b':
        take_bit_depth(text);
        return true;
      case kFrameCount:
        job.frame_count = static_cast<std::int64_t>(number(code, text, 1, kMaxCount));
        return true;
      case kSkipReference:
        job.reference.skip_frames = static_cast<std::int64_t>(number(code, text, 0, kMaxCount));
        return true;
      case kSkipDistorted:
        job.distorted[0].skip_frames = static_cast<std::int64_t>(number(code, text, 0, kMaxCount));
        return true;
      default:
        return false;
    }
  }

  bool take_scoring(int code, const char* text) {
    ScoringJob& job = arguments_.job;
    switch (code) {
      case 'm':
        append(parse_model(text), job.models);
        return true;
      case kFeature:
        append(parse_feature(text), job.features);
        return true;
      case kAomCtc:
        check(add_aom_ctc(text, job));
        return true;
      case kNflxCtc:
        check(add_nflx_ctc(text, job));
        return true;
      case kSubsample:
        job.session.subsample = static_cast<int>(number(code, text, 1, kMaxCount));
        return true;
      case 'o':
        output_ = text;
        if (output_.empty()) reject(code, text, "a file name or -");
        return true;
      case kPrecision:
        if (const auto precision = parse_precision(text))
          job.precision = *precision;
        else
          reject(code, text, "1 to 17, max or legacy");
        return true;
      default:
        return false;
    }
  }

  void take_machine(int code, const char* text) {
    switch (code) {
      case kThreads:
        arguments_.job.session.threads = static_cast<int>(number(code, text, 0, kMaxCount));
        break;
      case 'c':
        arguments_.cpu_mask = number(code, text, 0, std::numeric_limits<std::uint64_t>::max());
        break;
      case kGpuMask:
        // libvmaf's: that it is given at all asks for a GPU, and anything but 0 for none.
        asks_for_gpu_ = number(code, text, 0, std::numeric_limits<std::uint64_t>::max()) == 0;
        break;
      case kBackend:
        take_backend(text);
        break;
      default:
        break;
    }
  }

  void take_bit_depth(const char* text) {
    const auto depth = parse_number(text);
    for (const int known : {8, 10, 12, 16})
      if (depth == static_cast<std::uint64_t>(known)) raw_.bit_depth = known;
    if (!raw_.bit_depth || depth != static_cast<std::uint64_t>(*raw_.bit_depth))
      reject('b', text, "8, 10, 12 or 16");
  }

  void take_backend(std::string_view name) {
    constexpr std::array<std::string_view, 6> kBackends = {"auto", "cpu",  "cuda",
                                                           "hip",  "sycl", "host"};
    if (std::find(kBackends.begin(), kBackends.end(), name) == kBackends.end())
      return reject(kBackend, name, "auto, cpu, cuda, hip, sycl or host");
    arguments_.job.session.backend = name;
    names_backend_ = true;
  }

  std::uint64_t number(int code, std::string_view text, std::uint64_t min, std::uint64_t max) {
    const auto value = parse_number(text);
    if (value && *value >= min && *value <= max) return *value;
    const bool open_ended = max >= kMaxCount;
    reject(code, text,
           open_ended ? fmt::format("a whole number of {} or more", min)
                      : fmt::format("a whole number from {} to {}", min, max));
    return min;
  }

  void reject(int code, std::string_view text, std::string_view takes) {
    failure_ = usage(fmt::format("option {} takes {}, not \"{}\"", option_name(code), takes, text));
  }

  template <class T>
  void append(Result<T> parsed, std::vector<T>& list) {
    if (parsed)
      list.push_back(*std::move(parsed));
    else
      failure_ = Failure{ExitCode::kFailure, parsed.error()};
  }

  void check(const Status& status) {
    if (!status) failure_ = Failure{ExitCode::kFailure, status.error()};
  }

  // What follows from all options together.
  void complete() {
    ScoringJob& job = arguments_.job;
    if (asks_for_gpu_ && !names_backend_) job.session.backend = "auto";
    if (job.reference.path.empty()) {
      failure_ = usage("there is no reference: -r/--reference PATH");
      return;
    }
    if (job.distorted[0].path.empty()) {
      failure_ = usage("there is no distorted stream: -d/--distorted PATH");
      return;
    }
    complete_raw();
    job.predict = !no_prediction_;
    if (job.models.empty() && job.predict) job.models.push_back(default_model());
    std::set<std::string> names;
    for (const ModelSpec& model : job.models)
      if (!names.insert(model.name).second)
        failure_ = usage(fmt::format("two models are named \"{}\"", model.name),
                         "give each its own name, for example --model version=vmaf_v0.6.1:name=a");
    if (!output_.empty()) job.output = OutputFile{output_, format_};
  }

  void complete_raw() {
    if (!raw_.any()) return;
    if (!raw_.width || !raw_.height || !raw_.chroma || !raw_.bit_depth) {
      failure_ = usage("raw video needs -w, -h, -p and -b, all four",
                       "without them the format is read from the file");
      return;
    }
    const PictureFormat format{static_cast<int>(*raw_.width), static_cast<int>(*raw_.height),
                               *raw_.bit_depth, *raw_.chroma};
    arguments_.job.reference.raw = format;
    arguments_.job.distorted[0].raw = format;
  }

  static ModelSpec default_model() {
    ModelSpec spec;
    spec.version = "vmaf_v0.6.1";
    return spec;
  }

  static constexpr std::uint64_t kMaxCount = std::numeric_limits<int>::max();

  Arguments arguments_;
  RawOptions raw_;
  bool asks_for_gpu_ = false;
  bool names_backend_ = false;
  ReportFormat format_ = ReportFormat::kXml;
  std::string output_;
  bool no_prediction_ = false;
  std::optional<Failure> failure_;
};

}  // namespace

std::variant<Arguments, Failure> parse_arguments(int argc, char** argv) {
  return Parser().parse(argc, argv);
}

std::string_view help_text() {
  return R"(vmaf -r REFERENCE -d DISTORTED [options]

Input    y4m, and every container that libavformat opens. Raw planar YUV needs -w -h -p -b.
  -r, --reference PATH     -d, --distorted PATH
  -w, --width N            -h, --height N
  -p, --pixel_format FMT   420, 422, 444 or 400
  -b, --bitdepth N         8, 10, 12 or 16
      --frame_cnt N            stop after N frames
      --frame_skip_ref N       leave out the first N frames of the reference
      --frame_skip_dist N      leave out the first N frames of the distorted stream

Scores
  -m, --model SPEC         version=NAME or path=FILE, then :name=KEY, :disable_clip,
                           :enable_transform, :METRIC.OPTION=VALUE; repeatable
                           (default version=vmaf_v0.6.1)
      --feature SPEC       NAME or NAME=OPTION=VALUE:OPTION=VALUE; repeatable
  -n, --no_prediction      features only, those that --model needs too; no model score
      --subsample N        report every N-th frame
      --aom_ctc VERSION    models and features of AOM's test conditions, v1.0 to v7.0
      --nflx_ctc VERSION   the same of Netflix's, v1.0

Report
  -o, --output PATH        where to write it
      --xml (default)  --json  --csv  --sub
      --precision N        N significant digits (1 to 17), max, or legacy (default): %.6f

Machine  None of these changes a score.
      --threads N          0 (default): all cores
  -c, --cpumask BITS       instruction sets not to use: SSE2 1, SSSE3 2, SSE4.1 4,
                           AVX2 8, AVX-512 16 and 32; Arm: NEON 1, SVE2 2
      --backend NAME       cpu (default), auto, cuda, hip, sycl or host
      --gpumask BITS       0 asks for a GPU, like --backend auto; others for none
  -q, --quiet              no progress and no summary on a terminal
  -v, --version            --help

Options may be shortened as long as they stay unique. Exit codes: docs/exit-codes.md
)";
}

}  // namespace vmafx::tools
