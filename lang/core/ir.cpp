// The one lookup of ir.h: functions by name.
#include "lang/core/ir.h"

namespace halo::core {

const Function* Program::find(const std::string& name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace halo::core
