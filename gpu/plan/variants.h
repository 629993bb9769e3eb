// The schedules of a kernel: those that the device allows, and the requested one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// The variant that was measured to be the fastest, by keyOf() of the statement.
using Choices = std::map<std::string, std::string>;

// Names a statement by what it does: the same in every program, before and after it is outlined.
std::string keyOf(const core::Program& program, const core::Stm& stm);

// Bytes that a launch may take for arrays of its cells on any device.
inline constexpr int64_t kLeastScratch = int64_t{1} << 30;

struct Variants {
  // Of the device; the defaults are what a dump without a device shows.
  int subgroup = 32;  // 0: no shuffles between invocations
  int64_t shared_bytes = 32 * 1024;
  int64_t most_invocations = 1024;        // of a workgroup
  int64_t scratch_bytes = kLeastScratch;  // of a launch, for arrays of cells
  bool groups_talk = true;                // workgroups of one launch see each other's atomic stores
  bool groups_finish =
      false;  // a workgroup that has started keeps running while others wait for it
  // `--variant=NAME`: where this variant exists it is taken, whatever the sizes. Empty: the cost
  // model decides. A name may be followed by numbers, `rows:8,1,2`: what they mean is the variant's
  // own affair (templates/README.md), 0 and what is left out is for the cost model.
  std::string forced;
  std::vector<int64_t> numbers;
  bool strict_floats = false;  // --fp=strict: what in_order.h says
  // `--explain`: lines about what was chosen and why; may be empty.
  std::function<void(const std::string&)> explain;

  Choices tuned;
  bool is_tuned = false;  // `forced` was tuned for the statement
  // While tuning: told about every statement that can be made in several ways, and which; a
  // statement may come up several times.
  std::function<void(const std::string& key, const std::vector<std::string>& names)> offer;
  std::string key;  // of the statement that these are for, while tuning or if anything is tuned

  // For one statement: with the choice tuned for it, if any, and if it is one of `names`, where
  // there are such.
  Variants of(const core::Program& program, const core::Stm& stm,
              const std::vector<std::string>& names = {}) const;
  // The statement can be made in these ways.
  void canBe(const std::vector<std::string>& names) const {
    if (offer && !key.empty() && !names.empty()) offer(key, names);
  }
  bool allows(const std::string& name) const { return forced.empty() || forced == name; }
  int64_t number(const std::string& name, size_t which, int64_t otherwise) const {
    bool is_given = forced == name && which < numbers.size() && numbers[which] > 0;
    return is_given ? numbers[which] : otherwise;
  }
  void sayTuned(const std::string& what) const {
    say(what + ": tuned: " + (forced.empty() ? "by rule" : forced));
  }
  void say(const std::string& line) const {
    if (explain) explain(line);
  }
};

// The names that may be forced; `steps` by the cpu engine only.
const std::vector<std::string>& variantNames();
// The fault in `NAME` or `NAME:1,2,..` as --variant has it; empty: none.
std::string wrongVariant(const std::string& text);
// Takes a text that is right.
void setForced(Variants& variants, const std::string& text);

}  // namespace halo::gpu
