// Device code on disk, so that a program that ran before starts without the passes, plan and
// printers. Of many kernels these take a second.
#pragma once

#include <optional>
#include <string>

#include "gpu/device_code.h"

namespace halo::gpu {

class CodeCache {
 public:
  CodeCache();  // the folder below $XDG_CACHE_HOME or ~/.cache; unusable if there is none
  explicit CodeCache(std::string folder) : folder_(std::move(folder)) {}

  // The key of device code: the lowered program with its spans, this build, the device as plan and
  // printers see it, options and forced schedules. Empty if the build is unknown.
  static std::string keyOf(const CodeRequest& request);

  // Nothing if the file is absent, damaged or another key's.
  std::optional<DeviceCode> find(const std::string& key) const;
  // Appears whole or not at all; failures are ignored.
  void store(const std::string& key, const DeviceCode& code) const;

 private:
  std::string path(const std::string& key) const;

  std::string folder_;
};

}  // namespace halo::gpu
