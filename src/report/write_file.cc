#include "report/write_file.h"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vmafx {
namespace {

namespace fs = std::filesystem;

// 0 or errno. Closes the descriptor in any case.
int write_and_close(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int code = errno;
      ::close(descriptor);
      return code;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::close(descriptor) == 0 ? 0 : errno;
}

// A link keeps pointing to the report, also where its target does not exist yet.
fs::path link_target(fs::path path) {
  constexpr int kMaxLinks = 40;  // the kernel's own limit
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, ignored); ++i)
    path = path.parent_path() / fs::read_symlink(path, ignored);
  return path;
}

// The process's own descriptor where the path names a standard stream: opening it anew would start
// at the beginning of a file that a shell appends to.
std::optional<int> standard_stream(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  return std::nullopt;
}

struct TemporaryFile {
  std::string path;
  int descriptor = -1;  // -1: not created, errno says why
};

// Another run or thread may be writing the same report; each gets a file of its own.
TemporaryFile create_beside(const fs::path& target) {
  TemporaryFile file;
  for (int i = 0; i < 1000; ++i) {
    file.path = target.string() + ".part" + std::to_string(i);
    file.descriptor = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.descriptor >= 0 || errno != EEXIST) break;
  }
  return file;
}

// 0 or errno.
int replace_file(const fs::path& target, std::string_view text) {
  const auto [temporary, descriptor] = create_beside(target);
  if (descriptor < 0) return errno;
  struct stat old{};
  // A report that replaces another one stays readable for the same people.
  if (::stat(target.c_str(), &old) == 0)
    static_cast<void>(::fchmod(descriptor, old.st_mode & 0777));
  int code = write_and_close(descriptor, text);
  if (code == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) code = errno;
  if (code != 0) ::unlink(temporary.c_str());
  return code;
}

std::string hint_for(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
    case EACCES:
    case EPERM:
    case EROFS:
      return "the folder must exist and be writable";
    case ENAMETOOLONG:
      return "give it a shorter name";
    default:
      return {};
  }
}

Status status_of(int code, const std::string& path, std::string_view what) {
  if (code == 0) return {};
  return Error{ErrorCode::kIo,
               fmt::format("cannot write {} to \"{}\": {}", what, path,
                           std::generic_category().message(code)),
               hint_for(code)};
}

// 0 or errno.
int try_path(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  // Written through descriptors that are open, whatever their folder allows.
  if (standard_stream(path)) return 0;
  if (fs::is_directory(status)) return EISDIR;
  if (fs::exists(status) && !fs::is_regular_file(status))
    return ::access(path.c_str(), W_OK) == 0 ? 0 : errno;
  const auto [temporary, descriptor] = create_beside(link_target(path));
  if (descriptor < 0) return errno;
  ::close(descriptor);
  ::unlink(temporary.c_str());
  return 0;
}

}  // namespace

Status write_file(std::string_view content, const std::string& path, std::string_view what) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  int code = 0;
  if (const auto stream = standard_stream(path)) {
    const int descriptor = ::dup(*stream);
    code = descriptor < 0 ? errno : write_and_close(descriptor, content);
  } else if (fs::exists(status) && !fs::is_regular_file(status)) {
    // A pipe or a device cannot be replaced by a file.
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    code = descriptor < 0 ? errno : write_and_close(descriptor, content);
  } else {
    code = replace_file(link_target(path), content);
  }
  return status_of(code, path, what);
}

Status check_path(const std::string& path, std::string_view what) {
  return status_of(try_path(path), path, what);
}

}  // namespace vmafx
