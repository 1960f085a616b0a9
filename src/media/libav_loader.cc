#include <fmt/format.h>

#include "base/module_loader.h"
#include "media/libav_module.h"
#include "vmafx/catalog.h"

namespace vmafx {

Result<const LibavModule*> load_libav_module(const std::vector<std::string>& folders,
                                             const std::string& name) {
  const auto needed = [&](Error error) {
    error.message = fmt::format("{} is not y4m; reading containers needs the libav module, {}",
                                name, error.message);
    return error;
  };
  const auto address = load_module(folders, kLibavModuleFile, kLibavModuleEntry);
  if (!address) {
    Error error = needed(address.error());
    if (error.message.ends_with("not installed"))
      error.hint += "; headerless video needs its size, chroma format and bit depth";
    return error;
  }
  using Entry = const LibavModule* (*)();
  const LibavModule* const found = reinterpret_cast<Entry>(*address)();
  if (found != nullptr && found->abi == libav_module_abi()) return found;
  return needed({ErrorCode::kUnavailable,
                 fmt::format("but {} belongs to another version of VMAFx", kLibavModuleFile),
                 "install the module of this version"});
}

bool can_open_containers() { return load_libav_module(module_folders(), {}).ok(); }

}  // namespace vmafx
