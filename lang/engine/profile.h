// The calls' work on a device with its times. Engines fill it on request; `--profile` shows
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/source/source.h"

namespace halo::engine {

struct ProfileEvent {
  std::string name;     // of a kernel or loop, or `copy`, `upload`, `download`, `compile`
  source::Span span;    // the code that the kernel computes; none for copies
  uint64_t bytes = 0;   // copied
  double begin_us = 0;  // since the first event
  double us = 0;
  int track = 0;  // of a trace; others than 0 are threads, whose time tables leave out
};

struct Profile {
  std::vector<ProfileEvent> events;
  uint64_t calls = 0;
  // Of all calls together.
  uint64_t launches = 0, copies = 0, barriers = 0, submits = 0, waits = 0;
  uint64_t bytes_up = 0, bytes_down = 0;
};

// Lines for people: the time of every kernel, the slowest first, and the work of a call.
std::string profileText(const Profile& profile, const source::Files& files);
// Chrome's trace format, for chrome://tracing or Perfetto.
std::string profileJson(const Profile& profile, const source::Files& files);

}  // namespace halo::engine
