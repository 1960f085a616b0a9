// What libav* says about one stream. It writes to stderr by default; here its last error becomes
// part of our message, and damage that it only logs is remembered.
#ifndef VMAFX_MEDIA_LIBAV_LOG_H_
#define VMAFX_MEDIA_LIBAV_LOG_H_

#include <mutex>
#include <string>

namespace vmafx::libav {

// To be the `opaque` of the stream's AVFormatContext and AVCodecContext, which it outlives.
class StreamLog {
 public:
  StreamLog();
  ~StreamLog();
  StreamLog(const StreamLog&) = delete;
  StreamLog& operator=(const StreamLog&) = delete;

  void add(std::string line);
  // Empty if there was none.
  std::string last_error() const;
  // The first line that tells of lost or concealed samples.
  std::string damage() const;

 private:
  mutable std::mutex mutex_;
  std::string last_error_;
  std::string damage_;
};

}  // namespace vmafx::libav

#endif  // VMAFX_MEDIA_LIBAV_LOG_H_
