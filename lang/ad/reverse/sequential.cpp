#include "lang/ad/reverse/sequential.h"

#include "lang/ad/rules.h"

namespace halo::ad {

void sequentialScan(Emitter& out, const std::vector<ValueId>& results, const Operand& width,
                    const std::vector<ValueId>& inputs, const core::Scan& scan) {
  Program& program = out.program();
  core::Loop loop;
  const ValueId i = program.add("i", {});
  loop.form = core::ForLoop{i, width};
  Emitter step(program);
  Operands args;
  std::vector<ValueId> arrays, bound;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Type row = rowOf(program.type(inputs[k]));
    const ValueId acc = program.add("acc", row);
    loop.carried.push_back({acc, scan.neutral[k], false});
    bound.push_back(program.add("t", row));
    args.push_back(acc);
  }
  for (const ValueId input : inputs) {
    const Type whole = program.type(input);
    const ValueId initial = out.bind("t", whole, core::Scratch{whole.scalar, whole.shape});
    arrays.push_back(program.add("out", whole));
    loop.carried.push_back({arrays.back(), initial, false});
    args.push_back(step.index(input, {i}));
  }
  auto [stms, found] = core::apply(program, scan.op, args);
  for (Stm& stm : stms) step.append(std::move(stm));
  Operands next = found;
  for (size_t k = 0; k < arrays.size(); ++k) {
    next.push_back(step.updated(arrays[k], {i}, found[k]));
  }
  loop.body = step.take(std::move(next));
  bound.insert(bound.end(), results.begin(), results.end());
  out.append({bound, std::move(loop), false, {}});
}

void sequentialHist(Emitter& out, const std::vector<ValueId>& results, const core::Hist& node) {
  Program& program = out.program();
  const core::HistOp& operation = node.operations[0];
  core::Loop loop;
  const ValueId i = program.add("i", {});
  loop.form = core::ForLoop{i, node.width};
  Emitter step(program);
  std::vector<ValueId> bins;
  std::vector<Type> types;
  for (const ValueId destination : operation.destinations) {
    types.push_back(program.type(destination));
    bins.push_back(program.add("bins", types.back()));
    loop.carried.push_back({bins.back(), destination, false});
  }
  Operands cell;
  for (const ValueId input : node.inputs) cell.push_back(step.index(input, {i}));
  const Operands place(cell.begin(), cell.begin() + operation.index_rank);
  const Operand inside = isInside(step, place, types[0].shape);
  const std::vector<ValueId> changed = step.branch(
      inside, types,
      [&](Emitter& yes) {
        Operands args, next;
        for (const ValueId bin : bins) args.push_back(yes.index(bin, place));
        args.insert(args.end(), cell.begin() + operation.index_rank, cell.end());
        auto [stms, found] = core::apply(program, operation.op, args);
        for (Stm& one : stms) yes.append(std::move(one));
        for (size_t k = 0; k < bins.size(); ++k) {
          next.push_back(yes.updated(bins[k], place, found[k]));
        }
        return next;
      },
      [&](Emitter&) { return Operands(bins.begin(), bins.end()); });
  loop.body = step.take(Operands(changed.begin(), changed.end()));
  out.append({results, std::move(loop), false, {}});
}

}  // namespace halo::ad
