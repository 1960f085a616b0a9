// Shows how far a run is, on stderr.
#ifndef VMAFX_TOOLS_COMMON_PROGRESS_H_
#define VMAFX_TOOLS_COMMON_PROGRESS_H_

#include <memory>
#include <string>

#include "common/terminal.h"
#include "vmafx/session.h"

namespace vmafx::tools {

enum class ProgressMode { kNone, kBar, kJson };

class ProgressDisplay {
 public:
  virtual ~ProgressDisplay() = default;
  virtual void update(const Progress& progress) = 0;
  // Leaves the terminal ready for other text. The display may be updated again afterwards.
  virtual void clear() = 0;
};

std::unique_ptr<ProgressDisplay> make_progress(ProgressMode mode);

// At most `width` columns.
std::string progress_line(const Progress& progress, int width, const Style& style);
// {"frames":12,"total":48,"fps":150.2,"eta":0.24}; null where unknown.
std::string progress_json(const Progress& progress);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_PROGRESS_H_
