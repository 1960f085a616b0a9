// libvmaf's JSON form of models.
#ifndef VMAFX_MODELS_JSON_READER_H_
#define VMAFX_MODELS_JSON_READER_H_

#include <string_view>

#include "models/content.h"
#include "vmafx/status.h"

namespace vmafx {

// `text` is the whole file. A model is an object with the member model_dict; a bootstrap set is an
// object of such objects named "0" (the main model), "1", "2", ... Errors start with the path of
// the member that is wrong, such as "3.model_dict.slopes[2]".
Result<ModelContent> read_json_model(std::string_view text);

}  // namespace vmafx

#endif  // VMAFX_MODELS_JSON_READER_H_
