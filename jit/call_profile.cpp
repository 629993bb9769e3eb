#include "jit/call_profile.h"

namespace halo::jit {
namespace {

using Clock = CallProfile::Clock;

double us(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

// Of all events of the process.
Clock::time_point origin(Clock::time_point first) {
  static const Clock::time_point kOrigin = first;
  return kOrigin;
}

}  // namespace

void CallProfile::keepNames(const imp::Program& program, const std::string& entry) {
  if (profile_ == nullptr) return;
  entry_ = entry;
  for (const imp::VarInfo& var : program.vars) {
    names_.push_back(var.name + "_" + std::to_string(names_.size()));
  }
}

void CallProfile::add(const std::string& name, source::Span span, Clock::time_point begin,
                      Clock::time_point end, int track) {
  profile_->events.push_back({name, span, 0, us(begin - origin(begin)), us(end - begin), track});
}

void CallProfile::compiled(Clock::time_point begin, Clock::time_point end) {
  if (profile_ != nullptr) add("compile", {}, begin, end);
}

// Loops do not overlap on the thread of the call: the rest of its time is code around them.
void CallProfile::called(Clock::time_point begin, Clock::time_point end) {
  if (profile_ == nullptr) return;
  ++profile_->calls;
  Clock::time_point last = begin;
  for (const NestTime& time : times_.take()) {
    const imp::VarId loop(time.loop);
    if (time.thread == kCaller) {
      if (time.begin > last) add(entry_ + ", between loops", {}, last, time.begin);
      last = time.end;
    }
    add("loop " + names_[loop.index], spans_.at(loop), time.begin, time.end, time.thread);
  }
  if (end > last) add(entry_ + ", between loops", {}, last, end);
}

}  // namespace halo::jit
