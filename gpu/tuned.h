// The fastest schedules found by `halo tune`, on disk beside the shader cache: for each device and
// driver a file of rows `sizes, statement, variant`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/plan/variants.h"
#include "gpu/vulkan/device.h"
#include "lang/value/value.h"

namespace halo::gpu {

// The sizes of a call up to powers of two: of arrays by axis, and of whole numbers, which are often
// sizes or steps. A choice tuned at one size counts for all of its class.
std::string sizeClass(const std::vector<value::Value>& leaves);

class TunedChoices {
 public:
  // Reads the file of this device; empty if there is none, or it is damaged or another device's.
  // Rows with unknown variants do not count.
  TunedChoices(const std::string& folder, const vulkan::PhysicalDevice& device);

  bool empty() const { return rows_.empty(); }
  // The fault in the file; empty: none.
  const std::string& problem() const { return problem_; }
  // Of the statements that `offered` has; empty if nothing was tuned for such sizes.
  Choices find(const std::string& size_class, const std::vector<std::string>& offered) const;
  void set(const std::string& size_class, const Choices& choices);
  void save() const;

 private:
  void addRow(const std::string& line);

  std::string path_, device_, problem_;
  std::map<std::string, Choices> rows_;  // by class
};

}  // namespace halo::gpu
