// Words of neighbouring posts are neighbours, so that they are read together. Atomic stores and
// loads reach the memory that all workgroups see; barriers order them with the counter.
#include "gpu/templates/kernel/last_group.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

LastGroup::LastGroup(Builder& host, std::vector<ScalarType> types, const Operand& posts)
    : LastGroup(host, std::move(types), posts, i64(1)) {}

LastGroup::LastGroup(Builder& host, std::vector<ScalarType> types, const Operand& posts,
                     const Operand& sets)
    : types_(std::move(types)), posts_(posts) {
  size_t words = 0;
  for (ScalarType type : types_) words += wordsOf(type);
  const Operand all = host.mul(posts, i64(static_cast<int64_t>(words)));
  words_ = host.alloc("posts", ScalarType::kU32, Space::kDevice, all);
  counter_ = host.alloc("ended", ScalarType::kU32, Space::kDevice, sets, Holds::kZeros);
}

void LastGroup::free(Builder& host) const {
  host.append(Free{words_});
  host.append(Free{counter_});
}

Operand LastGroup::at(KernelScope& scope, const Operand& which, size_t word) const {
  Builder& code = scope.code();
  return code.add(code.mul(scope.scalar(posts_), i64(static_cast<int64_t>(word))), which);
}

void LastGroup::post(KernelScope& scope, const Operand& which, const Operands& values) const {
  Builder& code = scope.code();
  size_t next = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    for (const Operand& word : toWords(code, types_[k], values[k])) {
      const Operand where = at(scope, which, next++);
      code.append(Atomic{AtomicOp::kStore, scope.buffer(words_), where, word, {}});
    }
  }
}

Operands LastGroup::load(KernelScope& scope, const Operand& which) const {
  Builder& code = scope.code();
  Operands values;
  size_t next = 0;
  for (ScalarType type : types_) {
    Operands words;
    for (size_t w = 0; w < wordsOf(type); ++w) {
      const VarId word = code.program().addVar("post", ScalarType::kU32);
      const Operand where = at(scope, which, next++);
      code.append(Atomic{AtomicOp::kLoad, scope.buffer(words_), where, u32(0), word});
      words.push_back(word);
    }
    values.push_back(fromWords(code, type, words));
  }
  return values;
}

Operand LastGroup::isLast(KernelScope& scope) const {
  return isLast(scope, i64(0), [&] { return scope.groupCount(); });
}

Operand LastGroup::isLast(KernelScope& scope, const Operand& set,
                          const std::function<Operand()>& of_set) const {
  Builder& code = scope.code();
  const BufferId answer = scope.shared("last", ScalarType::kBool, 1);
  code.append(Barrier{true});  // the post is there before the count
  const Operand leads = code.prim(Op::kEq, ScalarType::kI64, {scope.localId(), i64(0)});
  code.ifThenElse(leads, [&] {
    const BufferId counter = scope.buffer(counter_);
    const VarId before = code.program().addVar("before", ScalarType::kU32);
    code.append(Atomic{AtomicOp::kAdd, counter, set, u32(1), before});
    const Operand others = asWord(code, code.sub(of_set(), i64(1)));
    const Operand is_last = code.prim(Op::kEq, ScalarType::kU32, {before, others});
    code.ifThenElse(is_last, [&] {
      code.append(Atomic{AtomicOp::kStore, counter, set, u32(0), {}});
    });
    code.store(answer, i64(0), is_last);
  });
  code.append(Barrier{});
  return code.load(answer, i64(0));
}

void LastGroup::open(KernelScope& scope) { scope.code().append(Barrier{true}); }

}  // namespace halo::gpu
