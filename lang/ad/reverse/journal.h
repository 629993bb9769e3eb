// Lines of `--explain` on derivatives: the tapes of loops, and how cotangents of arrays are added
// up. Each line once.
#pragma once

#include <functional>
#include <set>
#include <string>

namespace halo::ad {

class Journal {
 public:
  using Explain = std::function<void(const std::string&)>;

  Journal() = default;
  explicit Journal(Explain explain) : explain_(std::move(explain)) {}

  void say(const std::string& line) {
    if (explain_ && said_.insert(line).second) explain_("derivative: " + line);
  }

 private:
  Explain explain_;
  std::set<std::string> said_;
};

}  // namespace halo::ad
