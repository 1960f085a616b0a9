// Reports as Python objects.
#ifndef VMAFX_PYTHON_RESULTS_H_
#define VMAFX_PYTHON_RESULTS_H_

#include <nanobind/nanobind.h>

namespace vmafx::python {

void bind_report(nanobind::module_& module);

}  // namespace vmafx::python

#endif  // VMAFX_PYTHON_RESULTS_H_
