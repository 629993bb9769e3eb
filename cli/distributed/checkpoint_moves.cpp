// Moves of checkpoints: the first rank reads and writes, and tells the others.
#include <cstring>

#include "cli/distributed/rank_program.h"
#include "lang/base/check.h"
#include "lang/value/format.h"

namespace halo::distributed {
namespace {

using value::Scalar;
using value::Value;
using Saved = Checkpoints::Saved;

void append(std::string& text, int64_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

int64_t take(std::string_view& text) {
  int64_t number = 0;
  HALO_CHECK(text.size() >= sizeof number, "a message that ends early");
  std::memcpy(&number, text.data(), sizeof number);
  text.remove_prefix(sizeof number);
  return number;
}

// Empty: no checkpoint; else the step, then each value with its length.
std::string toMessage(const std::optional<Saved>& saved) {
  std::string text;
  if (!saved) return text;
  append(text, saved->step);
  for (const Value& value : saved->values) {
    const std::string bytes = value::toNpy(value);
    append(text, static_cast<int64_t>(bytes.size()));
    text += bytes;
  }
  return text;
}

diag::Result<std::optional<Saved>> fromMessage(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Saved saved{take(text), {}};
  while (!text.empty()) {
    const auto size = static_cast<size_t>(take(text));
    auto value = value::readNpy(text.substr(0, size), {});
    if (!value) return diag::Failure(value.error());
    saved.values.push_back(std::move(*value));
    text.remove_prefix(size);
  }
  return saved;
}

}  // namespace

bool RankProgram::resume(const core::Stm& stm, const core::Operands& args) {
  HALO_CHECK(checkpoints_ != nullptr, "a program with checkpoints, a call without");
  const uint64_t site = stm.results[0].index + 1;
  std::optional<Saved> saved;
  if (ranks_.isFirst()) {
    auto found = checkpoints_->resume(number(args[0]), args.size() - 1, arguments_);
    if (found) saved = std::move(*found);
    if (!found) noCheckpoint(found.error());
  }
  if (!meet(site)) return false;
  if (ranks_.count() > 1) {
    std::string message = toMessage(saved);
    auto sent = ranks_.broadcast(&message);
    if (!sent) return lost(sent.error().text);
    auto received = fromMessage(message);
    if (!received) return lost(received.error().message);
    saved = std::move(*received);
  }
  bind(stm.results[0], Scalar::ofI64(saved ? saved->step : 0));
  for (size_t i = 1; i < args.size(); i++) {
    Value value = saved ? std::move(saved->values[i - 1]) : get(args[i]);
    bind(stm.results[i], std::move(value));
  }
  return true;
}

// The first rank's clock decides for all.
bool RankProgram::steps(const core::Stm& stm, const core::Operands& args) {
  int64_t count = ranks_.isFirst() ? checkpoints_->steps(number(args[1])) : 0;
  if (ranks_.count() > 1) {
    std::vector<int64_t> all(static_cast<size_t>(ranks_.count()));
    if (!meet(stm.results[0].index + 1)) return false;
    auto sent = ranks_.gather(&count, sizeof count, all.data());
    if (!sent) return lost(sent.error().text);
    count = all[0];
  }
  bind(stm.results[0], Scalar::ofI64(count));
  return true;
}

bool RankProgram::save(const core::Stm& stm, const core::Operands& args) {
  const int64_t step = number(args[1]);
  if (ranks_.isFirst()) {
    Values values;
    for (size_t i = 3; i < args.size(); i++) values.push_back(get(args[i]));
    auto saved = checkpoints_->save(number(args[0]), step, get(args[2]).scalar()->asBool(), values);
    if (!saved) return noCheckpoint(saved.error());
  }
  bind(stm.results[0], Scalar::ofI64(step));
  return true;
}

}  // namespace halo::distributed
