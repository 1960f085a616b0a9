// What stands behind a VmafContext: a session, the order of its frames, scores from elsewhere.
#ifndef VMAFX_COMPAT_CONTEXT_H_
#define VMAFX_COMPAT_CONTEXT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compat/log.h"
#include "compat/picture.h"
#include "libvmaf/libvmaf.h"
#include "vmafx/artifact.h"
#include "vmafx/model.h"
#include "vmafx/report.h"
#include "vmafx/session.h"
#include "vmafx/status.h"

namespace vmafx::compat {

// Not thread-safe; VmafContext has a mutex.
class Context {
 public:
  explicit Context(const VmafConfiguration& config);

  const Log& log() const { return log_; }

  Status use(const std::string& metric, const std::map<std::string, std::string>& options);
  Status use(const std::shared_ptr<const Model>& model);
  Status import_score(const std::string& key, std::int64_t index, double value);

  Status read(const Picture& reference, const Picture& distorted, std::int64_t index);
  Status flush();

  Result<double> score(std::string_view key, std::int64_t index);
  // The main score, and all in the order of Model::score_keys().
  Result<double> score(const std::shared_ptr<const Model>& model, std::int64_t index);
  Result<std::vector<double>> scores(const std::shared_ptr<const Model>& model, std::int64_t index);
  // Frames that are multiples of it are scored.
  int subsample() const { return subsample_; }

  Status make_pool(const PictureFormat& format, unsigned count);
  const std::shared_ptr<PicturePool>& pool() const { return pool_; }

  Status write(const char* path, ReportFormat format) const;

 private:
  using Imports = std::vector<std::pair<std::string, std::map<std::int64_t, double>>>;

  std::map<std::int64_t, double>& imports_of(const std::string& key);
  bool uses(const std::shared_ptr<const Model>& model) const;
  Status measure_features(const Model& model);
  Status start(const PictureFormat& format);
  Status check_pool() const;
  Scores all_scores() const;

  const Log log_;
  const int subsample_;
  ArtifactFiles maps_;
  std::shared_ptr<PicturePool> pool_;
  std::vector<std::shared_ptr<const Model>> models_;
  Imports imports_;  // in the order of their first value
  PictureFormat format_;
  std::vector<std::string> keys_;  // of what the session measures, from the first frame on
  std::int64_t next_index_ = 0;
  bool flushed_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  Session session_;  // last: its threads use the members above
};

// kUsage if there are no values. Precondition: there is such a method.
Result<double> pool(const VmafPoolingMethod& method, const std::vector<double>& values);

}  // namespace vmafx::compat

struct VmafContext {
  explicit VmafContext(const VmafConfiguration& config) : context(config) {}

  std::mutex mutex;
  vmafx::compat::Context context;
};

#endif  // VMAFX_COMPAT_CONTEXT_H_
