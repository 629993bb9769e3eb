// Seeds of sums: their constructors are those of the value, which a check of the tags makes sure.
#include <algorithm>

#include "lang/lower/derivatives.h"

namespace halo::lower {

namespace {

constexpr size_t kPiece = 8;

// Up to eight bytes of a name as a number.
int64_t piece(const std::string& name, size_t at) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < kPiece && at + i < name.size(); ++i) {
    bytes |= static_cast<uint64_t>(static_cast<unsigned char>(name[at + i])) << (8 * i);
  }
  return static_cast<int64_t>(bytes);
}

// Which sums the tags of a type's leaves are of.
void findSums(const MonoType& type, std::vector<const MonoSum*>& sums) {
  if (const MonoArray* array = type.array()) findSums(*array->element, sums);
  if (const MonoRecord* record = type.record()) {
    for (const MonoTypeRef& field : record->fields) findSums(*field, sums);
  }
  if (type.sum() != nullptr && type.sum()->hasTag()) sums.push_back(type.sum());
}

// Two tags, or arrays of them; in the end the tags of the first element that differs.
struct Tags {
  Operand found, wanted;
  Operand element, are_same;  // -1 for no arrays
};

// The position of the first difference of two flat arrays; their length without one.
Operand firstDifference(Lowering& lowering, ScalarType tag, ValueId found, ValueId wanted,
                        const Operand& total) {
  const ValueId positions =
      lowering.bind({ScalarType::kI64, {total}},
                    core::Iota{ScalarType::kI64, total, Operand::ofI64(0), Operand::ofI64(1)});
  core::Screma node;
  node.width = total;
  node.inputs = {found, wanted, positions};
  const MonoTypeRef of_tag = scalarType(tag), of_index = scalarType(ScalarType::kI64);
  node.map = lowering.lambda(
      {of_tag, of_tag, of_index}, [&](const std::vector<StaticValue>& cell) -> StaticValue {
        const Operand equal = lowering.prim(Op::kEq, tag, {*cell[0].scalar(), *cell[1].scalar()});
        return {Operand(lowering.bind({}, core::Select{equal, total, *cell[2].scalar()}))};
      });
  core::Lambda least = lowering.lambda(
      {of_index, of_index}, [&](const std::vector<StaticValue>& both) -> StaticValue {
        return {lowering.prim(Op::kMin, ScalarType::kI64, {*both[0].scalar(), *both[1].scalar()})};
      });
  node.reductions.push_back({std::move(least), {total}, true});
  return lowering.bind({}, std::move(node));
}

void compareArrays(Lowering& lowering, ScalarType tag, Tags& tags) {
  const Operand total = lowering.product(lowering.out.type(tags.found).shape);
  const auto flat = [&](const Operand& array) {
    return lowering.bind({tag, {total}}, core::Reshape{array.value, {total}});
  };
  const ValueId found = flat(tags.found), wanted = flat(tags.wanted);
  tags.element = firstDifference(lowering, tag, found, wanted, total);
  tags.are_same = lowering.prim(Op::kEq, ScalarType::kI64, {tags.element, total});
  // Where all are equal there is no such element.
  const auto tagAt = [&](ValueId array) {
    core::Match match{tags.are_same, {}, {}};
    lowering.openBody();
    const Operand at = lowering.bind({tag, {}}, core::Index{array, {tags.element}});
    match.otherwise = lowering.closeBody({at});
    core::Body none;
    none.results = {prim::zero(tag)};
    match.cases.push_back({prim::Scalar::ofBool(true), std::move(none)});
    return Operand(lowering.bind({tag, {}}, std::move(match)));
  };
  tags.found = tagAt(found);
  tags.wanted = tagAt(wanted);
}

// Of an array the first element that differs.
void checkTag(Lowering& lowering, const MonoSum& sum, const Operand& found, const Operand& wanted,
              Span span) {
  const ScalarType tag = sum.tag();
  Tags tags{found, wanted, Operand::ofI64(-1), {}};
  if (lowering.out.type(found).isScalar()) {
    tags.are_same = lowering.prim(Op::kEq, tag, {found, wanted});
  } else {
    compareArrays(lowering, tag, tags);
  }
  size_t longest = 0;
  for (const std::string& name : sum.constructors) longest = std::max(longest, name.size());
  Operands operands = {tags.element};
  for (const Operand& at : {tags.found, tags.wanted}) {
    for (size_t start = 0; start < longest; start += kPiece) {
      Operand bytes = Operand::ofI64(piece(sum.constructors[0], start));
      for (size_t c = 1; c < sum.constructors.size(); ++c) {
        const Operand is = lowering.prim(Op::kEq, tag, {at, tagOf(sum, c)});
        bytes = lowering.choose(
            is, [&] { return Operand::ofI64(piece(sum.constructors[c], start)); },
            [&] { return bytes; });
      }
      operands.push_back(bytes);
    }
  }
  lowering.builder().assertThat(tags.are_same, Code::tangent_constructor, std::move(operands),
                                span);
}

}  // namespace

void checkTags(Lowering& lowering, const MonoType& type, const Operands& found,
               const Operands& wanted, Span span) {
  std::vector<const MonoSum*> sums;
  findSums(type, sums);
  for (size_t i = 0; i < found.size(); ++i) checkTag(lowering, *sums[i], found[i], wanted[i], span);
}

}  // namespace halo::lower
