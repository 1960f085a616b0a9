#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "base/guard.h"
#include "vmafx/artifact.h"

namespace vmafx {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

Error io_error(const fs::path& path, const std::error_code& code) {
  return {
      ErrorCode::kIo, fmt::format("cannot write \"{}\": {}", path.string(), code.message()), {}};
}

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace

class ArtifactFiles::Impl {
 public:
  Status append(const Artifact& artifact, int encode) {
    fs::path folder = artifact.folder;
    if (encode > 0) folder /= fmt::format("encode_{}", encode + 1);
    const fs::path path = folder / artifact.file;
    auto file = open(folder, path);
    if (!file) return file.error();
    if (std::fwrite(artifact.bytes.data(), 1, artifact.bytes.size(), *file) !=
            artifact.bytes.size() ||
        std::fflush(*file) != 0)
      return io_error(path, last_error());
    return {};
  }

 private:
  Result<std::FILE*> open(const fs::path& folder, const fs::path& path) {
    const auto known = files_.find(path.string());
    if (known != files_.end()) return known->second.get();
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return io_error(folder, code);
    File file(std::fopen(path.c_str(), "wb"));
    if (!file) return io_error(path, last_error());
    return files_.emplace(path.string(), std::move(file)).first->second.get();
  }

  std::map<std::string, File> files_;
};

ArtifactFiles::ArtifactFiles() : impl_(std::make_unique<Impl>()) {}
ArtifactFiles::~ArtifactFiles() = default;
ArtifactFiles::ArtifactFiles(ArtifactFiles&&) noexcept = default;
ArtifactFiles& ArtifactFiles::operator=(ArtifactFiles&&) noexcept = default;

Status ArtifactFiles::append(const Artifact& artifact, int encode) {
  return guarded([&] { return impl_->append(artifact, encode); });
}

}  // namespace vmafx
