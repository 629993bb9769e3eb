// Four neighbouring lines of a staged tile are one vector of shared memory.
#include "gpu/templates/product/fragments.h"

namespace halo::gpu {

using namespace imp;

namespace {

bool isOneWord(ScalarType type) {
  return type == ScalarType::kF32 || type == ScalarType::kI32 || type == ScalarType::kU32;
}

}  // namespace

StagedTile stagedTile(const ProductSchedule& tile, const ProductInputs& inputs, size_t input) {
  const bool is_column = inputs.along[input] == ProductInputs::Along::kColumns;
  const bool is_row = inputs.along[input] == ProductInputs::Along::kRows;
  const int64_t lines = is_row ? tile.rows : tile.columns;
  // Accumulators of neighbouring columns lie in neighbouring registers, as they are stored. Where
  // their factors lie the other way round, the registers that an operation reads are of two banks.
  const bool exchanged = tile.is_fused && is_column;
  StagedTile staged = {lines, tile.depth, tile.threads(), exchanged, inputs.is_contiguous[input]};
  staged.slices = tile.teams();
  return staged;
}

Fragments::Fragments(ProductScope& kernel, std::vector<Lines> lines)
    : kernel_(kernel), lines_(std::move(lines)) {
  for (size_t input = 0; input < kernel.inputs.along.size(); ++input) {
    const bool is_line = kernel.isRow(input) || kernel.isColumn(input);
    staging_.push_back(is_line ? stagingOf(input) : nullptr);
  }
}

std::unique_ptr<Staging> Fragments::stagingOf(size_t input) {
  const TilePlace& place = kernel_.place;
  const StagedTile staged = stagedTile(kernel_.tile, kernel_.inputs, input);
  const bool is_row = kernel_.isRow(input);
  Operand first = is_row ? place.first_row : place.first_column;
  Operand left = is_row ? place.left_rows : place.left_columns;
  if (!lines_.empty() && lines_[input].buffer.valid()) {
    Lines lines = lines_[input].in(kernel_.scope, place.batch);
    return std::make_unique<VectorStaging>(kernel_.scope, staged, place, lines, first, left);
  }
  // Lines beyond the last one are the last one.
  auto element = [=, this](const Operand& line, const Operand& k) {
    Builder& code = kernel_.code;
    Operand at = code.add(first, code.min(line, code.sub(left, i64(1))));
    return is_row ? kernel_.element(input, at, i64(0), k) : kernel_.element(input, i64(0), at, k);
  };
  return std::make_unique<ElementStaging>(kernel_.scope, staged, kernel_.typeOf(input), place,
                                          element);
}

void Fragments::load(const Operand& first_k, bool is_rest) {
  for (const auto& staging : staging_) {
    if (staging != nullptr) staging->load(first_k, is_rest);
  }
}

void Fragments::store(const Operand& half) {
  for (const auto& staging : staging_) {
    if (staging != nullptr) staging->store(half);
  }
}

Fragment Fragments::at(const Operand& half, const Operand& k) {
  // A constant k is added last, to the common beginning of all fragments of a step.
  const bool is_known = k.isConstant();
  const TilePlace& place = kernel_.place;
  Fragment all(staging_.size());
  for (size_t input = 0; input < all.size(); ++input) {
    if (staging_[input] == nullptr) continue;
    const bool is_row = kernel_.isRow(input);
    const Staging& staging = *staging_[input];
    Operand base = kernel_.code.add(staging.at(half, is_known ? i64(0) : k),
                                    is_row ? place.own_row : place.own_column);
    const int64_t skipped = is_known ? k.constant.asSigned() * staging.pitch() : 0;
    const int64_t count = is_row ? kernel_.tile.cell_rows : kernel_.tile.cell_columns;
    for (int64_t block = 0; block < count; block += 4) {
      const int64_t offset = is_row ? place.rowOffset(block) : place.columnOffset(block);
      loadFour(input, kernel_.code.add(base, i64(skipped + offset)), all[input]);
    }
  }
  return all;
}

void Fragments::loadFour(size_t input, const Operand& at, Operands& into) {
  Builder& code = kernel_.code;
  const ScalarType type = kernel_.typeOf(input);
  if (!isOneWord(type)) {
    for (int64_t q = 0; q < 4; ++q) {
      Operand next = code.add(at, i64(q));
      into.push_back(code.load(staging_[input]->shared(), next));
    }
    return;
  }
  LoadVector load{{}, staging_[input]->shared(), at};
  for (int q = 0; q < 4; ++q) load.vars.push_back(kernel_.nest.program.addVar("f", type));
  for (size_t q = 0; q < 4; ++q) into.push_back(load.vars[staging_[input]->lineAt(q)]);
  code.append(std::move(load));
}

}  // namespace halo::gpu
