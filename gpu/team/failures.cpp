// One flag for uniform code, one for each iteration of a parallel loop. Statements behind a failure
// go under a branch on its flag, so nothing that is bound there is missed elsewhere.
#include "gpu/team/team.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

bool fails(const Block& block) {
  bool found = false;
  forEachStm(block, [&](const Stm& stm) { found |= std::holds_alternative<Fail>(stm.node); });
  return found;
}

// `if bad { fail .. }`: a lowered assert.
const If* asCheck(const Stm& stm) {
  const auto* branch = std::get_if<If>(&stm.node);
  const bool is_check = branch != nullptr && branch->else_block.empty() &&
                        branch->then_block.size() == 1 &&
                        std::holds_alternative<Fail>(branch->then_block[0].node);
  return is_check ? branch : nullptr;
}
bool isScalarCode(const Stm& stm) {
  const auto* let = std::get_if<Let>(&stm.node);
  return let != nullptr && isArithmetic(let->expr);
}
// One behind the last check of those that only scalar code stands between; `from` is one.
size_t endOfChecks(const Block& block, size_t from) {
  size_t end = from + 1;
  for (size_t i = end; i < block.size(); ++i) {
    if (asCheck(block[i]) != nullptr) {
      end = i + 1;
    } else if (!isScalarCode(block[i])) {
      break;
    }
  }
  return end;
}

class Failures {
 public:
  explicit Failures(Program& program) : program_(program) {}

  Block run(const Block& body) {
    halt_ = program_.buffers.add({"halt", ScalarType::kU32, Space::kShared, 0, false});
    Block out;
    VarId failed = program_.addVar("failed", ScalarType::kBool, true);
    out.push_back({Alloc{halt_, Operand::ofI64(1)}});
    out.push_back({Store{halt_, Operand::ofI64(0), u32(0)}});
    out.push_back({Declare{failed, Scalar::ofBool(false)}});
    site_ = program_.addVar("site", ScalarType::kI64, true);
    Block rest = inside(body, failed, true);
    out.push_back({Declare{site_, Operand::ofI64(-1)}});
    for (VarId var : operands_) out.push_back({Declare{var, Operand::ofI64(0)}});
    out.insert(out.end(), rest.begin(), rest.end());
    for (size_t k = 0; k < fails_.size(); ++k) report(static_cast<int64_t>(k), out);
    return out;
  }
  bool supported() const { return supported_; }

 private:
  Block inside(const Block& block, VarId flag, bool is_uniform) {
    Block out;
    Block* target = &out;
    for (size_t i = 0; i < block.size(); ++i) {
      const bool may_fail = fails({block[i]});
      const size_t end = asCheck(block[i]) != nullptr ? endOfChecks(block, i) : i + 1;
      if (end > i + 1) {
        appendChecks(*target,
                     Block(block.begin() + static_cast<std::ptrdiff_t>(i),
                           block.begin() + static_cast<std::ptrdiff_t>(end)),
                     flag);
        i = end - 1;
      } else {
        append(*target, block[i], flag, is_uniform, may_fail);
      }
      if (may_fail && i + 1 < block.size()) target = unless(*target, flag);
    }
    return out;
  }

  // Several checks in a row are one branch where none of them fails; else the first one counts.
  void appendChecks(Block& to, const Block& checks, VarId flag) {
    Builder code(program_);
    Operand any = Scalar::ofBool(false);
    std::vector<const If*> tests;
    for (const Stm& stm : checks) {
      if (const If* check = asCheck(stm)) {
        any = tests.empty() ? check->condition
                            : code.prim(Op::kOr, ScalarType::kBool, {any, check->condition});
        tests.push_back(check);
      } else {
        code.append(StmNode(stm.node));
      }
    }
    for (Stm& stm : code.take()) to.push_back(std::move(stm));
    std::vector<Block> failures;
    for (const If* test : tests) failures.push_back(inside(test->then_block, flag, false));
    Block chain;
    for (size_t k = tests.size(); k-- > 0;) {
      Block one;
      one.push_back({If{tests[k]->condition, std::move(failures[k]), std::move(chain)}});
      chain = std::move(one);
    }
    to.push_back({If{any, std::move(chain), {}}});
  }

  // The branch that is taken where nothing has failed.
  Block* unless(Block& block, VarId flag) {
    VarId fine = program_.addVar("fine", ScalarType::kBool);
    block.push_back({Let{fine, Prim{Op::kNot, ScalarType::kBool, {flag}}}});
    block.push_back({If{fine, {}, {}}});
    return &std::get<If>(block.back().node).then_block;
  }

  void append(Block& to, Stm stm, VarId flag, bool is_uniform, bool may_fail) {
    if (!may_fail) return to.push_back(std::move(stm));
    if (auto* loop = std::get_if<For>(&stm.node)) {
      const bool is_shared = is_uniform && loop->schedule == Schedule::kParallel;
      if (is_shared) return appendShared(to, std::move(*loop), flag);
      Block body;
      *unless(body, flag) = inside(loop->body, flag, is_uniform);
      loop->body = std::move(body);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      supported_ = supported_ && !fails(loop->before);
      loop->body = inside(loop->body, flag, is_uniform);
      endOnFailure(*loop, flag);
    } else if (auto* branch = std::get_if<If>(&stm.node)) {
      branch->then_block = inside(branch->then_block, flag, is_uniform);
      branch->else_block = inside(branch->else_block, flag, is_uniform);
    }
    const auto* fail = std::get_if<Fail>(&stm.node);
    if (fail == nullptr) return to.push_back(std::move(stm));
    note(*fail, to);
    to.push_back({Assign{flag, Scalar::ofBool(true)}});
  }

  // A failure is reported behind the last barrier: until then its number in the kernel and its
  // operands are kept.
  void note(const Fail& fail, Block& to) {
    while (operands_.size() < fail.operands.size()) {
      operands_.push_back(program_.addVar("found", ScalarType::kI64, true));
    }
    to.push_back({Assign{site_, Operand::ofI64(static_cast<int64_t>(fails_.size()))}});
    Fail later{fail.site, {}};
    for (size_t k = 0; k < fail.operands.size(); ++k) {
      to.push_back({Assign{operands_[k], fail.operands[k]}});
      later.operands.emplace_back(operands_[k]);
    }
    fails_.push_back(std::move(later));
  }
  void report(int64_t number, Block& to) {
    VarId here = program_.addVar("here", ScalarType::kBool);
    to.push_back({Let{here, Prim{Op::kEq, ScalarType::kI64, {site_, Operand::ofI64(number)}}}});
    to.push_back({If{here, {{fails_[static_cast<size_t>(number)]}}, {}}});
  }

  void endOnFailure(While& loop, VarId flag) {
    VarId fine = program_.addVar("fine", ScalarType::kBool);
    VarId both = program_.addVar("again", ScalarType::kBool);
    loop.before.push_back({Let{fine, Prim{Op::kNot, ScalarType::kBool, {flag}}}});
    loop.before.push_back({Let{both, Prim{Op::kAnd, ScalarType::kBool, {loop.condition, fine}}}});
    loop.condition = both;
  }

  // An iteration keeps its failure to itself, until all lanes look.
  void appendShared(Block& to, For loop, VarId flag) {
    VarId bad = program_.addVar("bad", ScalarType::kBool, true);
    Block body = {{Declare{bad, Scalar::ofBool(false)}}};
    Block rest = inside(loop.body, bad, false);
    body.insert(body.end(), rest.begin(), rest.end());
    body.push_back({If{bad, {{Store{halt_, Operand::ofI64(0), u32(1)}}}, {}}});
    loop.body = std::move(body);
    to.push_back({std::move(loop)});
    VarId word = program_.addVar("halted", ScalarType::kU32);
    VarId halted = program_.addVar("halted", ScalarType::kBool);
    to.push_back({Let{word, Load{halt_, Operand::ofI64(0)}}});
    to.push_back({Let{halted, Prim{Op::kNe, ScalarType::kU32, {word, u32(0)}}}});
    to.push_back({Assign{flag, halted}});
  }

  Program& program_;
  BufferId halt_;
  VarId site_;
  std::vector<VarId> operands_;
  std::vector<Fail> fails_;
  bool supported_ = true;
};

}  // namespace

Block keepUniform(Program& program, Block body, bool* supported) {
  *supported = true;
  if (!fails(body)) return body;
  Failures failures(program);
  Block made = failures.run(body);
  *supported = failures.supported();
  return made;
}

}  // namespace halo::gpu
