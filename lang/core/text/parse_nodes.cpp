// Nodes of parallel work: maps, reductions, scans, stencils, scatters and histograms, and the
// rearrangements with boundaries.
#include "lang/core/flattening.h"
#include "lang/core/text/parser.h"

namespace halo::core {

Lambda Parser::mapOrIdentity(const std::vector<ValueId>& inputs) {
  if (accept("map")) return lambda();
  Lambda identity;
  for (ValueId input : inputs) {
    if (error_) break;
    Type row = program_.type(input);
    if (row.shape.empty()) {
      fail(peek(), fmt::format("input `{}` is not an array", program_.values[input].name));
      break;
    }
    row.shape.erase(row.shape.begin());
    ValueId param = program_.add("x", std::move(row));
    identity.params.push_back(param);
    identity.body.results.push_back(param);
  }
  return identity;
}

void Parser::combine(Lambda& op, Operands& neutral) {
  if (isNext("(")) {
    op = lambda();
  } else {
    Token head = name("an operator");
    size_t dot = std::min(head.text.find('.'), head.text.size());
    auto type = prim::scalarTypeFromName(head.text.substr(0, dot));
    auto found = prim::opFromName(head.text.substr(std::min(dot + 1, head.text.size())));
    if (!type || !found || prim::info(*found).arity != 2) {
      return fail(head, fmt::format("`{}` is not a binary operator", printable(head.text)));
    }
    ValueId a = program_.add("a", {*type, {}}), b = program_.add("b", {*type, {}});
    ValueId r = program_.add("r", {*type, {}});
    op.params = {a, b};
    op.body.stms.push_back({{r}, PrimOp{*found, *type, {a, b}}, false, head.span});
    op.body.results = {r};
  }
  if (isNext("(")) {
    neutral = operands("(", ")");
  } else {
    neutral = {operand()};
  }
}

std::vector<Reduction> Parser::reductions() {
  std::vector<Reduction> all;
  while (accept("reduce")) {
    Reduction reduction;
    reduction.commutative = accept("comm");
    combine(reduction.op, reduction.neutral);
    all.push_back(std::move(reduction));
  }
  return all;
}

Flattening Parser::flattening() {
  Flattening found;
  while (peek().kind == TokenKind::kName) {
    const auto attribute = flatteningFromWord(peek().text);
    if (!attribute) break;
    take();
    found.add(*attribute);
  }
  return found;
}

template <typename Node>
Node Parser::mapped() {
  Node node;
  node.flattening = flattening();
  node.width = size();
  node.inputs = values();
  node.map = mapOrIdentity(node.inputs);
  return node;
}

Expr Parser::screma() {
  auto node = mapped<Screma>();
  node.reductions = reductions();
  while (accept("scan")) {
    Scan scan;
    combine(scan.op, scan.neutral);
    node.scans.push_back(std::move(scan));
  }
  if (accept("partial")) node.partial_values = size();
  if (accept("chunk")) node.chunk = size();
  if (accept("joins_chunks")) node.joins = Joins::kChunks;
  if (accept("joins_tiles")) node.joins = Joins::kTiles;
  return node;
}

std::optional<Boundary> Parser::boundary() {
  if (accept("clamp")) return Boundary{BoundaryKind::kClamp, {}};
  if (accept("mirror")) return Boundary{BoundaryKind::kMirror, {}};
  if (accept("wrap")) return Boundary{BoundaryKind::kWrap, {}};
  if (accept("constant")) return Boundary{BoundaryKind::kConstant, operand()};
  return std::nullopt;
}

Window Parser::window(int rank) {
  Window w;
  w.array = value();
  while (auto one = boundary()) w.boundary.push_back(*one);
  if (w.boundary.empty()) unexpected("`clamp`, `mirror`, `wrap` or `constant`");
  // One for all axes will do.
  if (w.boundary.size() == 1) {
    w.boundary.resize(static_cast<size_t>(std::clamp(rank, 1, 8)), Boundary(w.boundary[0]));
  }
  if (isNext("(")) {
    w.dynamic = values();
    return w;
  }
  expect("{");
  list("}", [&] {
    std::vector<int64_t> offset;
    if (accept("(")) {
      list(")", [&] { offset.push_back(integer()); });
    } else {
      offset.push_back(integer());
    }
    w.offsets.push_back(std::move(offset));
  });
  return w;
}

Expr Parser::stencil() {
  Stencil node;
  node.flattening = flattening();
  node.space = shape();
  expect("(");
  list(")", [&] {
    if (isNext("window") && peek(1).kind == TokenKind::kName) {
      take();
      node.windows.push_back(window(static_cast<int>(node.space.size())));
    } else if (isNext("position") && peek(1).kind == TokenKind::kNumber) {
      take();
      node.positions.push_back(static_cast<size_t>(integer()));
    } else {
      node.inputs.push_back(value());
    }
  });
  expect("map");
  node.map = lambda();
  node.reductions = reductions();
  if (accept("partial")) node.partial_tiles = partialTiles();
  return node;
}

PartialTiles Parser::partialTiles() {
  PartialTiles tiles;
  tiles.values = size();
  auto pair = [&](const char* word, Operand& one, Operand& other) {
    expect(word);
    const Operands two = shape();
    if (two.size() != 2) return unexpected("two sizes");
    one = two[0], other = two[1];
  };
  pair("rows", tiles.first_row, tiles.rows);
  pair("tile", tiles.lines, tiles.columns);
  return tiles;
}

Expr Parser::scatter() {
  auto node = mapped<Scatter>();
  expect("into");
  expect("(");
  list(")", [&] {
    ValueId array = value();
    node.destinations.push_back({array, static_cast<int>(integer())});
  });
  return node;
}

Expr Parser::hist() {
  auto node = mapped<Hist>();
  while (accept("op")) {
    HistOp operation;
    operation.destinations = values();
    expect("rank");
    operation.index_rank = static_cast<int>(integer());
    combine(operation.op, operation.neutral);
    node.operations.push_back(std::move(operation));
  }
  return node;
}

Expr Parser::pad() {
  Pad node;
  node.shape = shape();
  node.array = value();
  while (accept("[")) {
    PadDim dim;
    dim.before = operand();
    expect(":");
    dim.after = operand();
    auto outside = boundary();
    if (!outside) unexpected("`clamp`, `mirror`, `wrap` or `constant`");
    dim.boundary = outside.value_or(Boundary{});
    expect("]");
    node.dims.push_back(std::move(dim));
  }
  return node;
}

Expr Parser::slide() {
  Slide node;
  node.array = value();
  while (accept("[")) {
    SlideDim dim;
    dim.size = operand();
    expect(":");
    dim.step = operand();
    expect(":");
    dim.count = operand();
    expect("]");
    node.dims.push_back(dim);
  }
  return node;
}

}  // namespace halo::core
