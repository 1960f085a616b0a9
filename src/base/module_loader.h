// Parts of the library that are loaded when they are asked for, because they link what not every
// machine has.
#ifndef VMAFX_BASE_MODULE_LOADER_H_
#define VMAFX_BASE_MODULE_LOADER_H_

#include <string>
#include <vector>

#include "vmafx/status.h"

namespace vmafx {

// Folders that may hold modules, in the order in which they are tried: that of the environment
// variable VMAFX_MODULES, beside the running library and executable, and where they are installed.
std::vector<std::string> module_folders();

// The address of `entry` in the first of the folders' files of that name; the file stays loaded.
// kUnavailable, with a message that goes on after "needs the module, ", if there is none or it
// cannot be loaded.
Result<void*> load_module(const std::vector<std::string>& folders, const std::string& file,
                          const char* entry);

}  // namespace vmafx

#endif  // VMAFX_BASE_MODULE_LOADER_H_
