// Moves of a rank's host program: rows to the host, messages, and arrays of the rows received.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/distributed/rank_program.h"
#include "cli/distributed/rows.h"
#include "lang/core/visit.h"

namespace halo::distributed {
namespace {

using core::Operand;
using value::Array;
using value::Scalar;

uint64_t ownBytes(const Contribution& array) {
  return static_cast<uint64_t>(array.own.shape()[0]) * rowBytes(array.own);
}

// Of each rank.
std::vector<uint64_t> blockBytes(const Contribution& array) {
  std::vector<uint64_t> bytes;
  for (int64_t rows : array.rows) {
    bytes.push_back(static_cast<uint64_t>(rows) * rowBytes(array.own));
  }
  return bytes;
}

}  // namespace

bool RankProgram::move(const core::Stm& stm, core::Move move, const core::Operands& args) {
  switch (move) {
    case core::Move::kBlock:
      block(stm, args);
      return true;
    case core::Move::kRows:
      return rows(stm, args);
    case core::Move::kEdges:
      edges(stm, args);
      return true;
    case core::Move::kGhost:
      return meet(stm.results[0].index + 1) && ghosts(stm, args);
    case core::Move::kWhole:
      return meet(stm.results[0].index + 1) && whole(stm, args);
    case core::Move::kEach:
      return meet(stm.results[0].index + 1) && each(stm, args, ranks_.count());
    case core::Move::kBefore:
      return meet(stm.results[0].index + 1) && each(stm, args, ranks_.rank());
    case core::Move::kJoin:
      return meet(stm.results[0].index + 1) && join(stm, args);
    case core::Move::kRoute:
      return meet(stm.results[0].index + 1) && route(stm, args);
    case core::Move::kPaste:
      return paste(stm, args);
    case core::Move::kRenew:
      return meet(stm.results[0].index + 1) && renew(stm, args);
    case core::Move::kResume:
      return settle() && resume(stm, args);
    case core::Move::kSteps:
      return settle() && steps(stm, args);
    case core::Move::kSave:
      return settle() && save(stm, args);
  }
  HALO_UNREACHABLE("unknown move");
}

void RankProgram::block(const core::Stm& stm, const core::Operands& args) {
  const ranks::Block own =
      ranks::blockOf(number(args[0]), number(args[1]), ranks_.rank(), ranks_.count());
  bind(stm.results[0], Scalar::ofI64(own.first));
  bind(stm.results[1], Scalar::ofI64(own.rows));
  bind(stm.results[2], Scalar::ofI64(own.smallest));
}

// Of an array on a device the rows come to the host first.
bool RankProgram::rows(const core::Stm& stm, const core::Operands& args) {
  auto host = value::toHost(*get(args[2]).array());
  if (!host) return failed(host.error());
  bind(stm.results[0], rowsOf(*host, number(args[0]), number(args[1])));
  return true;
}

void RankProgram::edges(const core::Stm& stm, const core::Operands& args) {
  const ranks::Block own =
      ranks::blockOf(number(args[0]), number(args[1]), ranks_.rank(), ranks_.count());
  const bool wraps = get(args[3]).scalar()->asBool();
  const ranks::Edges edges = ranks::edgesOf(own, number(args[2]), wraps, ranks_.rank());
  bind(stm.results[0], Scalar::ofI64(edges.above));
  bind(stm.results[1], Scalar::ofI64(edges.below));
  bind(stm.results[2], Scalar::ofI64(edges.before));
  bind(stm.results[3], Scalar::ofI64(edges.behind));
  bind(stm.results[4], Scalar::ofI64(edges.above + own.rows + edges.below));
}

bool RankProgram::ghosts(const core::Stm& stm, const core::Operands& args) {
  const int64_t k = number(args[0]);
  const ranks::Edges edges{number(args[1]), number(args[2]), number(args[3]), number(args[4])};
  std::vector<Array> arrays, ghosts;
  for (size_t i = core::kGhostScalars; i < args.size(); ++i)
    arrays.push_back(*get(args[i]).array());
  if (auto begun = rows_.begin(arrays, k, edges, &ghosts); !begun) {
    return noRows(begun.error());
  }
  for (size_t i = 0; i < ghosts.size(); ++i) bind(stm.results[i], std::move(ghosts[i]));
  return true;
}

// Arrays that are not mentioned again are changed in place, if no other has their memory.
bool RankProgram::renew(const core::Stm& stm, const core::Operands& args) {
  const int64_t k = number(args[0]);
  const ranks::Edges edges{number(args[1]), number(args[2]), number(args[3]), number(args[4])};
  std::vector<Array> arrays;
  for (size_t i = core::kGhostScalars; i < args.size(); ++i) {
    arrays.push_back(*get(args[i]).array());
  }
  if (const auto unused = last_uses_.find(&stm); unused != last_uses_.end()) {
    for (core::ValueId value : unused->second) values_.erase(value);
  }
  if (auto renewed = rows_.renew(arrays, k, edges); !renewed) {
    return noRows(renewed.error());
  }
  for (size_t i = 0; i < arrays.size(); ++i) bind(stm.results[i], std::move(arrays[i]));
  return true;
}

// The array is not mentioned again (core/moves.h): it is changed in place if it is alone.
bool RankProgram::paste(const core::Stm& stm, const core::Operands& args) {
  Array into = *get(args[1]).array();
  values_.erase(args[1].value);
  auto pasted = rows_.paste(std::move(into), number(args[0]), *get(args[2]).array());
  if (!pasted) return failed(pasted.error());
  bind(stm.results[0], std::move(*pasted));
  return true;
}

bool RankProgram::whole(const core::Stm& stm, const core::Operands& args) {
  const int64_t n = number(args[0]);
  std::vector<int64_t> rows;
  ResultRows result{{}, 0, std::max<int64_t>(n, 0)};
  for (int r = 0; r < ranks_.count(); ++r) {
    const ranks::Block block = ranks::blockOf(n, number(args[1]), r, ranks_.count());
    rows.push_back(block.rows);
    if (r == ranks_.rank()) result.first = block.first;
  }
  ++rows_.traffic().moves;
  std::vector<Contribution> arrays;
  std::vector<core::ValueId> results;
  for (size_t i = 2; i < args.size(); ++i) {
    const core::ValueId value = stm.results[i - 2];
    if (!uses_.contains(value)) continue;
    const auto place = results_ == nullptr ? std::nullopt : onlyResult(value);
    const Contribution own{*get(args[i]).array(), rows};
    rows_.traffic().bytes += static_cast<int64_t>(ownBytes(own));
    if (!place) {
      arrays.push_back(own);
      results.push_back(value);
      continue;
    }
    auto dense = ownDense(own.own);
    if (!dense) return lost(dense.error().message);
    result.own = std::move(*dense);
    if (!this->result(value, *place, result, blockBytes(own))) return false;
  }
  return arrays.empty() || bindGathered(results, std::move(arrays));
}

bool RankProgram::bindGathered(const std::vector<core::ValueId>& results,
                               std::vector<Contribution> arrays) {
  auto all = gathered(std::move(arrays));
  if (!all) return lost(all.error().message);
  for (size_t i = 0; i < results.size(); ++i) bind(results[i], std::move((*all)[i]));
  return true;
}

// Which result of the entry a value becomes, by itself or through an arm of a match; nothing if
// others mention it.
std::optional<size_t> RankProgram::onlyResult(core::ValueId value) const {
  int64_t uses = 0;
  const auto count = [&](const auto& use) { uses += Operand(use) == Operand(value); };
  core::ValueId becomes = value;
  core::visitStms(entry_->body, [&](const core::Stm& stm) {
    core::visitUses(stm.expr, count);
    core::visitBodies(stm.expr, [&](const core::Body& body) {
      const auto found = std::find(body.results.begin(), body.results.end(), Operand(value));
      if (found == body.results.end()) return;
      ++uses;
      const auto place = static_cast<size_t>(found - body.results.begin());
      if (std::holds_alternative<core::Match>(stm.expr)) becomes = stm.results[place];
    });
  });
  std::for_each(entry_->body.results.begin(), entry_->body.results.end(), count);
  if (uses != 1) return std::nullopt;
  if (becomes != value) return onlyResult(becomes);
  const auto first = entry_->body.results.begin() + entry_->size_results;
  const auto found = std::find(first, entry_->body.results.end(), Operand(value));
  if (found == entry_->body.results.end()) return std::nullopt;
  return static_cast<size_t>(found - entry_->body.results.begin());
}

// Results that the first rank alone uses.
bool RankProgram::result(core::ValueId value, size_t place, const ResultRows& rows,
                         const std::vector<uint64_t>& bytes) {
  const bool is_first = place == static_cast<size_t>(entry_->size_results);
  const bool is_saved = !results_->file.empty() && is_first;
  if (is_saved) {
    ResultFile file(ranks_, results_->file);
    const ResultFile::End end = file.write(rows);
    if (end == ResultFile::End::kLost) return lost("another rank has ended");
    if (end == ResultFile::End::kFailed) {
      return noFile(
          diag::fail(diag::Code::unwritable_file, {},
                     fmt::format("file `{}` cannot be written: {}", results_->file, file.problem()))
              .value());
    }
    results_->is_written = end == ResultFile::End::kWritten;
  }
  const bool is_done = is_saved && results_->is_written;
  auto all = value::makeArray(
      rows.own.type(), withRows(rows.own.shape(), ranks_.isFirst() && !is_done ? rows.n : 0));
  if (!all) return lost(all.error().message);
  if (!is_done) {
    auto gathered = gatherOnFirst(ranks_, rows, bytes, *all);
    if (!gathered) return lost(gathered.error().text);
  }
  bind(value, std::move(*all));
  return true;
}

diag::Result<Array> RankProgram::ownDense(const Array& array) {
  const Timed timed(rows_.traffic().rows_ms);
  return value::toDense(array);
}

// The own rows of all ranks, one behind the other.
diag::Result<std::vector<Array>> RankProgram::gathered(std::vector<Contribution> arrays) {
  auto by_pages = all_gather_.takes(arrays);
  if (!by_pages) return tl::unexpected(by_pages.error());
  if (*by_pages) {
    const Timed timed(rows_.traffic().message_ms);
    return all_gather_.gather(std::move(arrays), [this] { return rows_.finishLater(); });
  }
  std::vector<Array> all;
  for (const Contribution& array : arrays) {
    auto one = gatheredByMessages(array);
    if (!one) return tl::unexpected(one.error());
    all.push_back(std::move(*one));
  }
  return all;
}

diag::Result<Array> RankProgram::gatheredByMessages(const Contribution& array) {
  auto dense = ownDense(array.own);
  if (!dense) return dense;
  // They have left the device with these, and arrive on the others while messages go.
  if (auto done = rows_.finish(); !done) return tl::unexpected(done.error());
  const int64_t rows = std::accumulate(array.rows.begin(), array.rows.end(), int64_t{0});
  auto all = value::makeArray(array.own.type(), withRows(array.own.shape(), rows));
  if (!all) return all;
  const Timed timed(rows_.traffic().message_ms);
  auto sent = ranks_.gather(dataOf(*dense), blockBytes(array), dataOf(*all));
  if (!sent) return diag::fail(diag::Code::device_failure, {}, sent.error().text);
  return all;
}

// Those of the first `kept` ranks.
bool RankProgram::each(const core::Stm& stm, const core::Operands& args, int64_t kept) {
  const int64_t count = ranks_.count();
  bind(stm.results[0], Scalar::ofI64(kept));
  for (size_t i = 0; i < args.size(); ++i) {
    const Value value = get(args[i]);
    std::vector<int64_t> shape{count};
    const prim::ScalarType type =
        value.scalar() != nullptr ? value.scalar()->type : value.array()->type();
    if (const Array* array = value.array()) {
      shape.insert(shape.end(), array->shape().begin(), array->shape().end());
    }
    auto all = value::makeArray(type, shape);
    if (!all) return lost(all.error().message);
    Array own = rowsOf(*all, 0, 1);
    auto bytes = static_cast<size_t>(all->elements() / count * prim::byteSize(type));
    std::vector<std::byte> mine(bytes);
    if (const Scalar* scalar = value.scalar()) {
      value::setAt(own, 0, *scalar);
      std::copy_n(own.data(), bytes, mine.data());
    } else if (bytes > 0) {
      auto dense = ownDense(*value.array());
      if (!dense) return lost(dense.error().message);
      std::copy_n(dense->data(), bytes, mine.data());
    }
    const Timed timed(rows_.traffic().message_ms);
    auto sent = ranks_.gather(mine.data(), bytes, dataOf(*all));
    if (!sent) return lost(sent.error().text);
    rows_.traffic().bytes += static_cast<int64_t>(bytes);
    bind(stm.results[i + 1], rowsOf(*all, 0, kept));
  }
  ++rows_.traffic().moves;
  return true;
}

// The numbers of rows first.
bool RankProgram::join(const core::Stm& stm, const core::Operands& args) {
  const int64_t own = get(args[0]).array()->shape()[0];
  std::vector<int64_t> rows(static_cast<size_t>(ranks_.count()));
  const auto told = [&] {
    const Timed timed(rows_.traffic().message_ms);
    return ranks_.gather(&own, sizeof own, rows.data());
  }();
  if (!told) return lost(told.error().text);
  bind(stm.results[0], Scalar::ofI64(std::accumulate(rows.begin(), rows.end(), int64_t{0})));
  std::vector<Contribution> arrays;
  for (const Operand& arg : args) {
    arrays.push_back({*get(arg).array(), rows});
    rows_.traffic().bytes += static_cast<int64_t>(ownBytes(arrays.back()));
  }
  ++rows_.traffic().moves;
  return bindGathered({stm.results.begin() + 1, stm.results.end()}, std::move(arrays));
}

bool RankProgram::route(const core::Stm& stm, const core::Operands& args) {
  auto places = ownDense(*get(args[2]).array());
  if (!places) return lost(places.error().message);
  const auto* first = reinterpret_cast<const int64_t*>(dataOf(*places));
  const std::span<const int64_t> at(first, static_cast<size_t>(places->elements()));
  const Timed timed(rows_.traffic().message_ms);
  auto route = ranks::routeOf(ranks_, number(args[0]), number(args[1]), at);
  if (!route) return lost(route.error().text);
  bind(stm.results[0], Scalar::ofI64(static_cast<int64_t>(route->arrived())));
  if (uses_.contains(stm.results[1])) {
    auto told = ranks::sendPlaces(ranks_, *route);
    if (!told) return lost(told.error().text);
    auto taken = value::makeArray(prim::ScalarType::kI64, {static_cast<int64_t>(told->size())});
    if (!taken) return lost(taken.error().message);
    std::copy(told->begin(), told->end(), reinterpret_cast<int64_t*>(dataOf(*taken)));
    bind(stm.results[1], std::move(*taken));
  }
  for (size_t i = 3; i < args.size(); ++i) {
    if (uses_.contains(stm.results[i - 1]) && !sendRows(stm.results[i - 1], args[i], *route)) {
      return false;
    }
  }
  ++rows_.traffic().moves;
  return true;
}

bool RankProgram::sendRows(core::ValueId result, const Operand& array, const ranks::Route& route) {
  auto mine = ownDense(*get(array).array());
  if (!mine) return lost(mine.error().message);
  const auto arrived = static_cast<int64_t>(route.arrived());
  auto all = value::makeArray(mine->type(), withRows(mine->shape(), arrived));
  if (!all) return lost(all.error().message);
  auto sent = ranks::send(ranks_, route, dataOf(*mine), rowBytes(*mine), dataOf(*all));
  if (!sent) return lost(sent.error().text);
  rows_.traffic().bytes += static_cast<int64_t>(route.order.size() * rowBytes(*mine));
  bind(result, std::move(*all));
  return true;
}

}  // namespace halo::distributed
