// Kernels of SYCL, by name.
#ifndef VMAFX_DEVICE_SYCL_KERNELS_H_
#define VMAFX_DEVICE_SYCL_KERNELS_H_

#include <cstddef>
#include <map>
#include <string_view>
#include <sycl/sycl.hpp>
#include <typeinfo>

#include "device/sycl/team.h"

namespace vmafx::device::sycl_backend {

// What a work-item runs.
template <class K>
class Run {
 public:
  Run(const K& kernel, sycl::handler& handler)
      : kernel_(kernel), local_(sycl::range<1>(1), handler) {}

  void operator()(const sycl::nd_item<3>& item) const {
    Team<K> team(item, local_[0]);
    kernel_(team);
  }

 private:
  K kernel_;
  sycl::local_accessor<Local<K>, 1> local_;
};

using Launch = void (*)(sycl::handler& handler, Grid grid, const void* arguments);
using Table = std::map<std::string_view, Launch>;

template <class K>
void launch(sycl::handler& handler, Grid grid, const void* arguments) {
  constexpr std::size_t kThreads = K::kThreads;
  const sycl::range<3> all(static_cast<std::size_t>(grid.z), static_cast<std::size_t>(grid.y),
                           static_cast<std::size_t>(grid.x) * kThreads);
  handler.parallel_for(sycl::nd_range<3>(all, sycl::range<3>(1, 1, kThreads)),
                       Run<K>(*static_cast<const K*>(arguments), handler));
}

template <class... K>
void add(Table& table, KernelList<K...> /*list*/) {
  (table.emplace(typeid(K).name(), &launch<K>), ...);
}

const Table& kernels();

}  // namespace vmafx::device::sycl_backend

#endif  // VMAFX_DEVICE_SYCL_KERNELS_H_
