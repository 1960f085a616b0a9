// Kernels of CUDA and HIP, by name. The including file has included the backend's runtime.h before.
#ifndef VMAFX_DEVICE_SIMT_KERNELS_H_
#define VMAFX_DEVICE_SIMT_KERNELS_H_

#include <map>
#include <string_view>
#include <typeinfo>

#include "device/simt/team.h"

namespace vmafx::device::simt {

template <class K>
constexpr int teams_at_once() {
  if constexpr (requires { K::kTeamsAtOnce; }) return K::kTeamsAtOnce;
  return 0;
}

template <class K>
__global__ void VMAFX_LAUNCH_BOUNDS(K::kThreads, teams_at_once<K>())
    run(VMAFX_KERNEL_ARGUMENT K kernel) {
  __shared__ PlainShared<K> shared;
  __shared__ Scratch<K> scratch;
  Team<K> team(shared, scratch);
  kernel(team);
}

using Launch = VMAFX_RUNTIME(Error_t) (*)(VMAFX_RUNTIME(Stream_t) stream, Grid grid,
                                          const void* arguments);
using Table = std::map<std::string_view, Launch>;

template <class K>
VMAFX_RUNTIME(Error_t)
launch(VMAFX_RUNTIME(Stream_t) stream, Grid grid, const void* arguments) {
  const dim3 teams(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                   static_cast<unsigned>(grid.z));
  run<K><<<teams, K::kThreads, 0, stream>>>(*static_cast<const K*>(arguments));
  return VMAFX_RUNTIME(GetLastError)();
}

template <class... K>
void add(Table& table, KernelList<K...> /*list*/) {
  (table.emplace(typeid(K).name(), &launch<K>), ...);
}

const Table& kernels();

}  // namespace vmafx::device::simt

#endif  // VMAFX_DEVICE_SIMT_KERNELS_H_
