#include "cli/repl/trial.h"

#include <utility>

namespace halo::repl {

Trial::Trial(types::EnvironmentRef& environment, bool copies) : environment_(environment) {
  if (copies) {
    before_ = environment;
  } else {
    mark_ = types::mark(*environment);
  }
}

Trial::~Trial() {
  if (is_kept_) return;
  if (before_ != nullptr) {
    environment_ = std::move(before_);
  } else {
    types::rewind(environment_, mark_);
  }
}

}  // namespace halo::repl
