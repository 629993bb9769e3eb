// Constructs in generated programs, and those they lacked. A construct, a function of the prelude
// or a schedule that no program reaches is a gap of the generator.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace halo::fuzz {

class Coverage {
 public:
  Coverage();
  void add(const std::string& program);
  void addSchedules(const std::vector<std::string>& schedules);
  // Counts by programs; missing ones by name.
  std::string text() const;
  std::string json() const;

 private:
  std::string counts(const std::map<std::string, int>& all) const;

  std::map<std::string, int> constructs_, prelude_, schedules_;
  std::set<std::string> members_;  // of modules, with them: `i32.popc`
};

}  // namespace halo::fuzz
