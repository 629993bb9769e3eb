// The schedules of a kernel: those that the device allows, and the requested one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gpu/plan/limits.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// The variant that was measured to be the fastest, by keyOf() of the statement.
using Choices = std::map<std::string, std::string>;

// Names a statement by its operations: the same in every program, before and after it is outlined.
std::string keyOf(const core::Program& program, const core::Stm& stm);

struct Variants : Limits, Request {
  bool strict_floats = false;  // --fp=strict: the rules of in_order.h
  // `--explain`: lines about each choice and its reason; may be empty.
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
  void sayTuned(const std::string& what) const {
    say(what + ": tuned: " + (forced.empty() ? "by rule" : forced));
  }
  void say(const std::string& line) const {
    if (explain) explain(line);
  }
};

// The names that may be forced; `steps` by the cpu engine only.
const std::vector<std::string>& variantNames();
// A line for each, with its meaning.
std::string variantsText();
// The fault in `NAME` or `NAME:1,2,..` as --variant has it; empty: none.
std::string wrongVariant(const std::string& text);
// Takes a valid text.
void setForced(Variants& variants, const std::string& text);

}  // namespace halo::gpu
