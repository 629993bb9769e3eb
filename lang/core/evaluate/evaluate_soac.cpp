// Nodes that run a lambda over an index space, one position after the other.
#include <algorithm>

#include "lang/core/evaluate/evaluator.h"
#include "lang/core/lane_sums.h"
#include "lang/core/scatter.h"
#include "lang/core/tile_sums.h"

namespace halo::core {

void Evaluator::gather(Gathered& into, const std::vector<Reduction>& reductions,
                       const std::vector<Scan>& scans, const Data& mapped) {
  auto next = mapped.begin();
  size_t array = 0;
  auto append = [&](const Datum& datum) {
    if (into.arrays.size() <= array) into.arrays.resize(array + 1);
    into.arrays[array].insert(into.arrays[array].end(), datum.bits->begin(), datum.bits->end());
    ++array;
  };
  for (size_t k = 0; k < reductions.size(); ++k) {
    const size_t count = into.reduced[k].size();
    into.reduced[k] = apply(reductions[k].op, joined(into.reduced[k], next, count));
    next += static_cast<std::ptrdiff_t>(count);
  }
  for (size_t k = 0; k < scans.size(); ++k) {
    const size_t count = into.scanned[k].size();
    into.scanned[k] = apply(scans[k].op, joined(into.scanned[k], next, count));
    next += static_cast<std::ptrdiff_t>(count);
    for (const Datum& datum : into.scanned[k]) append(datum);
  }
  for (; next != mapped.end(); ++next) append(*next);
}

Data Evaluator::collected(const Stm& stm, Gathered gathered) {
  Data results;
  for (const Data& values : gathered.reduced) {
    results.insert(results.end(), values.begin(), values.end());
  }
  for (size_t k = 0; results.size() < stm.results.size(); ++k) {
    const Type& type = program_.type(stm.results[results.size()]);
    gathered.arrays.resize(std::max(gathered.arrays.size(), k + 1));
    results.push_back(Datum::of(type.scalar, shapeOf(type.shape), gathered.arrays[k]));
  }
  return results;
}

Data Evaluator::elementsOf(const std::vector<ValueId>& inputs, const Position& position) {
  Data data;
  for (ValueId input : inputs) {
    if (!isInside(position, get(input).shape)) throw Stop{End::kWrong, "an input is too short"};
    data.push_back(at(get(input), position));
  }
  return data;
}

// A chunk at a time, each from its neutral values; then element by element.
Data Evaluator::partialValues(const Stm& stm, const Screma& e) {
  const int64_t width = shapeOf({e.width})[0];
  const bool are_elements = *e.partial_values == e.width;
  const int64_t chunk = e.chunk ? get(*e.chunk).scalar().asSigned() : kSumChunk;
  const int64_t lanes = e.chunk ? width : width / kSumLanes * kSumLanes;
  const int64_t tail = are_elements ? 0 : lanes;
  std::vector<std::vector<uint64_t>> partial;
  Gathered gathered = started(e);
  auto keep = [&] {
    size_t k = 0;
    for (Data& values : gathered.reduced) {
      for (const Datum& datum : values) {
        if (partial.size() <= k) partial.emplace_back();
        partial[k++].push_back(datum.bits->at(0));
      }
    }
    gathered.reduced = started(e).reduced;
  };
  eachPosition({width}, [&](const Position& i) {
    gather(gathered, e.reductions, {}, apply(e.map, elementsOf(e.inputs, i)));
    const int64_t done = i[0] + 1;
    if (done > tail || done == tail || done % chunk == 0) keep();
  });
  const int64_t count = e.chunk ? (width + chunk - 1) / chunk : core::partialValues(width);
  if (!are_elements && get(*e.partial_values).scalar().asSigned() != count) {
    throw Stop{End::kWrong, "another number of partial values"};
  }
  Data results;
  for (size_t k = 0; k < partial.size(); ++k) {
    results.push_back(Datum::of(program_.type(stm.results[k]).scalar,
                                {static_cast<int64_t>(partial[k].size())}, partial[k]));
  }
  for (size_t k = 0; results.size() < stm.results.size(); ++k) {
    const Type& type = program_.type(stm.results[results.size()]);
    gathered.arrays.resize(std::max(gathered.arrays.size(), k + 1));
    results.push_back(Datum::of(type.scalar, shapeOf(type.shape), gathered.arrays[k]));
  }
  return results;
}

Data Evaluator::evaluated(const Stm& stm, const Screma& e) {
  if (e.partial_values) return partialValues(stm, e);
  Gathered gathered = started(e);
  const auto restart = [&] {
    gathered.scanned.clear();
    for (const Scan& scan : e.scans) gathered.scanned.push_back(get(scan.neutral));
  };
  restart();
  const int64_t chunk = e.chunk ? get(*e.chunk).scalar().asSigned() : 0;
  eachPosition(shapeOf({e.width}), [&](const Position& position) {
    if (chunk > 0 && position[0] % chunk == 0) restart();
    gather(gathered, e.reductions, e.scans, apply(e.map, elementsOf(e.inputs, position)));
  });
  return collected(stm, std::move(gathered));
}

Data Evaluator::cellOf(const Stencil& e, const Position& position) {
  Data arguments;
  for (const Window& window : e.windows) neighbours(window, position, arguments);
  const Data inputs = elementsOf(e.inputs, position);
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  for (size_t axis : e.positions) arguments.push_back(Datum::of(Scalar::ofI64(position[axis])));
  return apply(e.map, arguments);
}

Data Evaluator::evaluated(const Stm& stm, const Stencil& e) {
  if (e.partial_tiles) return partialTiles(stm, e);
  Gathered gathered = started(e);
  eachPosition(shapeOf(e.space), [&](const Position& position) {
    gather(gathered, e.reductions, {}, cellOf(e, position));
  });
  return collected(stm, std::move(gathered));
}

// Of each tile the sum of its cells, from its neutral values. Cells of rows that do not count are
// computed, too.
Data Evaluator::partialTiles(const Stm& stm, const Stencil& e) {
  const auto size = [&](const Operand& o) { return get(o).scalar().asSigned(); };
  const PartialTiles& p = *e.partial_tiles;
  const Position space = shapeOf(e.space);
  const TileGrid grid{space, size(p.first_row), size(p.rows), size(p.lines), size(p.columns)};
  if (size(p.values) != grid.tiles()) throw Stop{End::kWrong, "another number of partial values"};
  Gathered gathered = started(e), unused = started(e);
  std::vector<std::vector<Data>> tiles(static_cast<size_t>(grid.tiles()), gathered.reduced);
  eachPosition(space, [&](const Position& position) {
    const std::optional<int64_t> tile = grid.tileOf(position);
    std::vector<Data>& sums = tile ? tiles[static_cast<size_t>(*tile)] : unused.reduced;
    std::swap(gathered.reduced, sums);
    gather(gathered, e.reductions, {}, cellOf(e, position));
    std::swap(gathered.reduced, sums);
  });
  Data results;
  for (size_t r = 0; r < e.reductions.size(); ++r) {
    for (size_t c = 0; c < e.reductions[r].neutral.size(); ++c) {
      std::vector<uint64_t> bits;
      for (const std::vector<Data>& sums : tiles) bits.push_back(sums[r][c].bits->at(0));
      results.push_back(
          Datum::of(program_.type(stm.results[results.size()]).scalar, {grid.tiles()}, bits));
    }
  }
  for (size_t k = 0; results.size() < stm.results.size(); ++k) {
    const Type& type = program_.type(stm.results[results.size()]);
    gathered.arrays.resize(std::max(gathered.arrays.size(), k + 1));
    results.push_back(Datum::of(type.scalar, shapeOf(type.shape), gathered.arrays[k]));
  }
  return results;
}

void Evaluator::neighbours(const Window& window, const Position& position, Data& arguments) {
  const Datum& array = get(window.array);
  auto neighbour = [&](const std::function<int64_t(size_t)>& offset) {
    Position source = position;
    for (size_t axis = 0; axis < source.size(); ++axis) {
      // Far outside is far outside: no overflow.
      const __int128 moved = static_cast<__int128>(source[axis]) + offset(axis);
      if (moved < INT64_MIN / 4 || moved > INT64_MAX / 4) throw Stop{End::kTooLong, "far away"};
      source[axis] = static_cast<int64_t>(moved);
    }
    return cell(array, window.boundary, source);
  };
  for (const std::vector<int64_t>& offsets : window.offsets) {
    arguments.push_back(neighbour([&](size_t axis) { return offsets[axis]; }));
  }
  if (window.dynamic.empty()) return;
  const std::vector<int64_t>& shape = get(window.dynamic[0]).shape;
  arguments.push_back(built(array.type, shape, shape, [&](const Position& i) {
    return neighbour(
        [&](size_t axis) { return at(get(window.dynamic[axis]), i).scalar().asSigned(); });
  }));
}

Data Evaluator::evaluated(const Stm&, const Scatter& e) {
  Data results;
  for (const ScatterDest& destination : e.destinations) results.push_back(get(destination.array));
  eachPosition(shapeOf({e.width}), [&](const Position& i) {
    const Data mapped = apply(e.map, elementsOf(e.inputs, i));
    auto next = mapped.begin();
    for (size_t k = 0; k < results.size(); ++k) {
      for (int w = 0; w < writesOf(e); ++w, ++next) {
        const Position at = takeIndices(next, e.destinations[k].index_rank);
        if (isInside(at, results[k].shape)) results[k] = withPart(results[k], at, *next);
      }
    }
  });
  return results;
}

Data Evaluator::evaluated(const Stm&, const Hist& e) {
  Data results;
  for (const HistOp& op : e.operations) {
    for (ValueId destination : op.destinations) results.push_back(get(destination));
  }
  eachPosition(shapeOf({e.width}), [&](const Position& i) {
    const Data mapped = apply(e.map, elementsOf(e.inputs, i));
    auto next = mapped.begin();
    auto result = results.begin();
    for (const HistOp& op : e.operations) {
      const Position position = takeIndices(next, op.index_rank);
      const size_t count = op.destinations.size();
      if (isInside(position, result->shape)) {
        Data old;
        for (size_t k = 0; k < count; ++k)
          old.push_back(at(result[static_cast<std::ptrdiff_t>(k)], position));
        const Data made = apply(op.op, joined(std::move(old), next, count));
        for (size_t k = 0; k < count; ++k) {
          Datum& whole = result[static_cast<std::ptrdiff_t>(k)];
          whole = withPart(whole, position, made[k]);
        }
      }
      next += static_cast<std::ptrdiff_t>(count);
      result += static_cast<std::ptrdiff_t>(count);
    }
  });
  return results;
}

}  // namespace halo::core
