// Moves of checkpoints: the first rank reads and writes, and tells the others.
#include "cli/distributed/rank_program.h"
#include "lang/base/archive.h"
#include "lang/base/check.h"
#include "lang/value/format.h"

namespace halo::distributed {
namespace {

using value::Scalar;
using value::Value;
using Saved = Checkpoints::Saved;

// A checkpoint on its way to the other ranks.
struct Message {
  int64_t step = 0;
  std::vector<std::string> values;  // .npy
};

std::string toMessage(const std::optional<Saved>& saved) {
  std::optional<Message> message;
  if (saved) {
    message = {saved->step, {}};
    for (const Value& value : saved->values) message->values.push_back(value::toNpy(value));
  }
  base::ArchiveWriter writer;
  writer.put(message);
  return writer.bytes();
}

diag::Result<std::optional<Saved>> fromMessage(const std::string& text) {
  base::ArchiveReader reader(text);
  std::optional<Message> message;
  reader.get(message);
  HALO_CHECK(reader.isRight(), "a message of another form");
  if (!message) return std::nullopt;
  Saved saved{message->step, {}};
  for (const std::string& bytes : message->values) {
    auto value = value::readNpy(bytes, {});
    if (!value) return diag::Failure(value.error());
    saved.values.push_back(std::move(*value));
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
    if (!found) noFile(found.error());
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
  for (size_t i = 1; i < args.size(); ++i) {
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
    for (size_t i = 3; i < args.size(); ++i) values.push_back(get(args[i]));
    auto saved = checkpoints_->save(number(args[0]), step, get(args[2]).scalar()->asBool(), values);
    if (!saved) return noFile(saved.error());
  }
  bind(stm.results[0], Scalar::ofI64(step));
  return true;
}

}  // namespace halo::distributed
