// For the files that compile the kernels of a metric for the host.
#ifndef VMAFX_DEVICE_HOST_KERNELS_H_
#define VMAFX_DEVICE_HOST_KERNELS_H_

#include "device/host/checked_team.h"
#include "device/host/table.h"
#include "device/host/team.h"

namespace vmafx::device::host {

template <class... K>
void add_plain(Table& table, KernelList<K...> /*list*/) {
  (table.emplace(typeid(K).name(),
                 [](Grid blocks, const void* arguments, Order /*order*/) {
                   run<K>(blocks, arguments);
                   return std::string();
                 }),
   ...);
}

template <class... K>
void add_checked(Table& table, KernelList<K...> /*list*/) {
  (table.emplace(typeid(K).name(), &run_checked<K>), ...);
}

}  // namespace vmafx::device::host

#endif  // VMAFX_DEVICE_HOST_KERNELS_H_
