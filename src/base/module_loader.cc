#include "base/module_loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vmafx {
namespace {

std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : std::string();
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string() : path.substr(0, slash);
}

}  // namespace

std::vector<std::string> module_folders() {
  std::vector<std::string> folders;
  const auto add_around = [&](const std::string& file) {
    const std::string folder = folder_of(file);
    if (folder.empty()) return;
    for (const char* below : {"/../lib/vmafx", "/" VMAFX_MODULE_FROM_BIN, "/vmafx", ""}) {
      const std::string candidate = folder + below;
      if (std::ranges::find(folders, candidate) == folders.end()) folders.push_back(candidate);
    }
  };
  if (const char* const folder = std::getenv("VMAFX_MODULES"); folder != nullptr && *folder != '\0')
    folders.emplace_back(folder);
  // For an executable the loader knows only argv[0], which may lack the folder.
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&module_folders), &here) != 0 &&
      here.dli_fname != nullptr && std::string_view(here.dli_fname).find('/') != std::string::npos)
    add_around(resolved(here.dli_fname));
  add_around(resolved("/proc/self/exe"));
  folders.emplace_back(VMAFX_MODULE_DIR);
  return folders;
}

Result<void*> load_module(const std::vector<std::string>& folders, const std::string& file,
                          const char* entry) {
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + file;
    if (access(path.c_str(), F_OK) != 0) continue;
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (module == nullptr) {
      const char* const why = dlerror();
      return Error{ErrorCode::kUnavailable,
                   fmt::format("which cannot be loaded: {}", why != nullptr ? why : path),
                   {}};
    }
    void* const address = dlsym(module, entry);
    if (address != nullptr) return address;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("but {} belongs to another version of VMAFx", path),
                 "install the module of this version"};
  }
  return Error{ErrorCode::kUnavailable, "which is not installed",
               fmt::format("looked for {} in {}", file, fmt::join(folders, ", "))};
}

}  // namespace vmafx
