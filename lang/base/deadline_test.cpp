#include "lang/base/deadline.h"

#include <doctest/doctest.h>

using halo::base::CancelFlag;
using halo::base::Deadline;

TEST_CASE("deadline: the flag is set after the time") {
  const Deadline deadline(std::chrono::milliseconds(1), nullptr);
  while (!deadline.flag().isSet()) std::this_thread::yield();
}

TEST_CASE(
    "deadline: the flag is set when the outer one is, and an end before that waits for nothing") {
  CancelFlag outer;
  {
    const Deadline deadline(std::chrono::hours(1), &outer);
    CHECK(!deadline.flag().isSet());
  }
  const Deadline deadline(std::chrono::hours(1), &outer);
  outer.set();
  while (!deadline.flag().isSet()) std::this_thread::yield();
}
