// A trial on an environment, taken back at the end unless it is kept.
#pragma once

#include "lang/types/sizes/given.h"

namespace halo::repl {

class Trial {
 public:
  // `copies`: the trial puts another environment there, this one stays as it is.
  Trial(types::EnvironmentRef& environment, bool copies);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  void keep() { is_kept_ = true; }

 private:
  types::EnvironmentRef& environment_;
  types::EnvironmentRef before_;
  types::Mark mark_;
  bool is_kept_ = false;
};

}  // namespace halo::repl
