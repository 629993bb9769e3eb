// Statements about memory: allocation, moves, accesses by several invocations at once.
#include <map>

#include "lang/imp/text/parser.h"

namespace halo::imp {

StmNode Parser::alloc() {
  BufferId id = buffer();
  Alloc alloc{id, index()};
  if (accept("zeros")) alloc.holds = Holds::kZeros;
  if (accept("states")) alloc.holds = Holds::kStates;
  return alloc;
}

StmNode Parser::rebind() {
  BufferId dst = buffer();
  expect("=");
  return Rebind{dst, buffer()};
}

StmNode Parser::swap() {
  BufferId a = buffer();
  return Swap{a, buffer()};
}

StmNode Parser::copy() {
  CopyBuffer copy;
  copy.dst = buffer(), copy.dst_offset = index();
  assign();
  copy.src = buffer(), copy.src_offset = index();
  copy.count = operand();
  return copy;
}

// vector (x_1: t, y_2: t) = xs$1[i]   vector xs$1[i] := (x, y)
StmNode Parser::vector() {
  if (nextIsBuffer()) {
    BufferId id = buffer();
    Operand at = index();
    assign();
    return StoreVector{id, at, operands()};
  }
  LoadVector load;
  list([&] { load.vars.push_back(binder()); });
  expect("=");
  load.buffer = buffer();
  load.index = index();
  return load;
}

// matrix clear c$1                            matrix load a$2 = tile$3[i] by_rows 20i64
// matrix store xs$4[i] by_columns n := c$1    matrix multiply c$1 a$2 b$5
StmNode Parser::matrix() {
  using Kind = MatrixOp::Kind;
  const auto memory = [&](MatrixOp& op) {
    op.memory = buffer(), op.index = index();
    op.by_columns = accept("by_columns");
    if (!op.by_columns) expect("by_rows");
    op.pitch = operand();
  };
  if (accept("clear")) return MatrixOp{Kind::kClear, buffer()};
  if (accept("load")) {
    MatrixOp op{Kind::kLoad, buffer()};
    expect("=");
    memory(op);
    return op;
  }
  if (accept("store")) {
    MatrixOp op{Kind::kStore, {}};
    memory(op);
    assign();
    op.matrix = buffer();
    return op;
  }
  if (!accept("multiply")) fail("expected `clear`, `load`, `store` or `multiply`");
  MatrixOp op{Kind::kMultiply, buffer()};
  op.a = buffer(), op.b = buffer();
  return op;
}

StmNode Parser::append() {
  Append append;
  append.buffers = bufferList();
  append.next = operand().var;
  append.condition = operand();
  append.values = operands();
  return append;
}

StmNode Parser::ordered() {
  const bool begins = accept("begin");
  if (!begins) expect("end");
  return OrderedSection{begins};
}

StmNode Parser::atomic() {
  static const std::map<std::string_view, AtomicOp> kOps = {
      {"add", AtomicOp::kAdd},   {"min", AtomicOp::kMin},    {"max", AtomicOp::kMax},
      {"and", AtomicOp::kAnd},   {"or", AtomicOp::kOr},      {"xor", AtomicOp::kXor},
      {"load", AtomicOp::kLoad}, {"store", AtomicOp::kStore}};
  Atomic atomic{};
  auto found = kOps.find(peek().text);
  if (found == kOps.end()) {
    fail("expected an atomic operation");
    return Barrier{};
  }
  atomic.op = found->second;
  take();
  atomic.buffer = buffer();
  atomic.index = index();
  atomic.value = operand();
  if (accept("->")) atomic.old = binder();
  return atomic;
}

StmNode Parser::read() {
  VarId id = binder();
  expect("=");
  BufferId from = buffer();
  return ReadScalar{id, from, index()};
}

StmNode Parser::launch() {
  Launch launch;
  launch.kernel = text();
  launch.groups = operands();
  launch.buffers = bufferList();
  launch.scalars = operands();
  return launch;
}

}  // namespace halo::imp
