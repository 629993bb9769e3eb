#include "lang/ad/reverse/sequential.h"

#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

// A loop over the rows of arrays that carries the combined ones, while it is written.
struct Combining {
  Combining(Program& program, const Operand& width) : step(program) {
    loop.form = core::ForLoop{program.add("i", {}), width};
  }
  ValueId index() const { return std::get<core::ForLoop>(loop.form).index; }

  core::Loop loop;
  Emitter step;
  Operands next;
};

Combining combining(Program& program, const Operand& width, const std::vector<ValueId>& inputs,
                    const Lambda& op, const Operands& neutral) {
  Combining all(program, width);
  Operands args;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const ValueId acc = program.add("acc", rowOf(program.type(inputs[k])));
    all.loop.carried.push_back({acc, neutral[k], false});
    args.push_back(acc);
  }
  for (const ValueId input : inputs) args.push_back(all.step.index(input, {all.index()}));
  all.next = all.step.apply(op, args);
  return all;
}

}  // namespace

void sequentialReduction(Emitter& out, const std::vector<ValueId>& results, const Operand& width,
                         const std::vector<ValueId>& inputs, const core::Reduction& reduction) {
  Combining all = combining(out.program(), width, inputs, reduction.op, reduction.neutral);
  all.loop.body = all.step.take(std::move(all.next));
  out.append({results, std::move(all.loop), false, {}});
}

void sequentialScan(Emitter& out, const std::vector<ValueId>& results, const Operand& width,
                    const std::vector<ValueId>& inputs, const core::Scan& scan) {
  Program& program = out.program();
  Combining all = combining(program, width, inputs, scan.op, scan.neutral);
  std::vector<ValueId> bound;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Type whole = program.type(inputs[k]);
    bound.push_back(program.add("t", rowOf(whole)));
    const ValueId initial = out.bind("t", whole, core::Scratch{whole.scalar, whole.shape});
    const ValueId array = program.add("out", whole);
    all.loop.carried.push_back({array, initial, false});
    all.next.push_back(all.step.updated(array, {all.index()}, all.next[k]));
  }
  all.loop.body = all.step.take(std::move(all.next));
  bound.insert(bound.end(), results.begin(), results.end());
  out.append({bound, std::move(all.loop), false, {}});
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
        const Operands found = yes.apply(operation.op, args);
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
