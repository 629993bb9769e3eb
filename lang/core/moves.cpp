// Names of moves, and their types.
#include "lang/core/moves.h"

#include "lang/base/check.h"
#include "lang/core/rules/rules.h"

namespace halo::core {
namespace {

constexpr Move kAll[] = {Move::kBlock, Move::kRows,   Move::kEdges, Move::kGhost, Move::kWhole,
                         Move::kEach,  Move::kBefore, Move::kJoin,  Move::kRoute, Move::kPaste,
                         Move::kRenew, Move::kResume, Move::kSteps, Move::kSave};
constexpr size_t kRouteSizes = 2, kMaxArguments = 1000;

}  // namespace

const char* name(Move move) {
  switch (move) {
    case Move::kBlock:
      return "move.block";
    case Move::kRows:
      return "move.rows";
    case Move::kEdges:
      return "move.edges";
    case Move::kGhost:
      return "move.ghost";
    case Move::kWhole:
      return "move.whole";
    case Move::kEach:
      return "move.each";
    case Move::kBefore:
      return "move.before";
    case Move::kJoin:
      return "move.join";
    case Move::kRoute:
      return "move.route";
    case Move::kPaste:
      return "move.paste";
    case Move::kRenew:
      return "move.renew";
    case Move::kResume:
      return "move.resume";
    case Move::kSteps:
      return "move.steps";
    case Move::kSave:
      return "move.save";
  }
  HALO_UNREACHABLE("unknown move");
}

std::optional<Move> moveOf(const std::string& function) {
  if (!function.starts_with("move.")) return std::nullopt;
  for (Move move : kAll) {
    if (function == name(move)) return move;
  }
  return std::nullopt;
}

bool isMove(const Stm& stm, Move move) {
  const auto* call = std::get_if<Call>(&stm.expr);
  return call != nullptr && call->function == name(move);
}

void Rules::moved(const Call& n, Move move) {
  const Type i64{ScalarType::kI64, {}};
  const auto arguments = [&](size_t least, size_t most) {
    return need(n.args.size() >= least && n.args.size() <= most,
                "a move with a wrong number of operands");
  };
  const auto isArray = [&](const Operand& o) {
    return need(!type(o).isScalar(), "a move of a scalar");
  };
  switch (move) {
    case Move::kBlock:
      if (arguments(2, 2)) sizes(n.args), gives({i64, i64, i64});
      return;
    case Move::kRows:
      if (!arguments(3, 3) || !isArray(n.args[2])) return;
      sizes({n.args[0], n.args[1]});
      return gives({arrayOf({n.args[1]}, row(type(n.args[2])))});
    case Move::kEdges:
      if (!arguments(4, 4)) return;
      sizes({n.args[0], n.args[1], n.args[2]});
      scalar(n.args[3], ScalarType::kBool, "whether it wraps");
      return gives({i64, i64, i64, i64, i64});
    case Move::kWhole:
      if (arguments(3, kMaxArguments)) movedWhole(n);
      return;
    case Move::kGhost:
    case Move::kRenew:
      return movedGhosts(n, move);
    case Move::kRoute:
      if (arguments(4, kMaxArguments)) movedRoute(n);
      return;
    case Move::kPaste:
      if (!arguments(3, 3) || !isArray(n.args[1]) || !isArray(n.args[2])) return;
      sizes({n.args[0]});
      need(row(type(n.args[1])) == row(type(n.args[2])), "rows of another shape are pasted");
      return gives({type(n.args[1])});
    case Move::kResume:
      if (arguments(2, kMaxArguments)) movedResume(n);
      return;
    case Move::kSteps:
      if (arguments(2, 2)) sizes(n.args), gives({i64});
      return;
    case Move::kSave:
      if (!arguments(4, kMaxArguments)) return;
      sizes({n.args[0], n.args[1]});
      scalar(n.args[2], ScalarType::kBool, "whether the loop goes on");
      return gives({i64});
    case Move::kEach:
    case Move::kBefore:
    case Move::kJoin:
      if (arguments(1, kMaxArguments)) movedAll(n, move);
      return;
  }
}

void Rules::movedWhole(const Call& n) {
  sizes({n.args[0], n.args[1]});
  std::vector<Type> given;
  for (size_t i = 2; i < n.args.size(); ++i) {
    if (!need(!type(n.args[i]).isScalar(), "a move of a scalar")) return;
    given.push_back(arrayOf({n.args[0]}, row(type(n.args[i]))));
  }
  gives(given);
}

void Rules::movedAll(const Call& n, Move move) {
  if (!need(!stm_.results.empty(), "a move without results")) return;
  std::vector<Type> given{{ScalarType::kI64, {}}};
  for (const Operand& o : n.args) {
    const bool is_joined = move == Move::kJoin;
    if (is_joined && !need(!type(o).isScalar(), "a move of a scalar")) return;
    given.push_back(arrayOf({Operand(stm_.results[0])}, is_joined ? row(type(o)) : type(o)));
  }
  gives(given);
}

void Rules::movedRoute(const Call& n) {
  sizes({n.args[0], n.args[1]});
  if (!need(!stm_.results.empty(), "a move without results")) return;
  const Operand& places = n.args[kRouteSizes];
  if (!need(!type(places).isScalar(), "a move of a scalar")) return;
  std::vector<Type> given{{ScalarType::kI64, {}}};
  for (size_t i = kRouteSizes; i < n.args.size(); ++i) {
    const Type array = type(n.args[i]);
    if (!need(!array.isScalar(), "a move of a scalar")) return;
    need(array.shape[0] == type(places).shape[0], "rows that have no places");
    given.push_back(arrayOf({Operand(stm_.results[0])}, row(array)));
  }
  need(type(places) == Type{ScalarType::kI64, {type(places).shape[0]}}, "places are no numbers");
  gives(given);
}

void Rules::movedResume(const Call& n) {
  sizes({n.args[0]});
  std::vector<Type> given{Type{ScalarType::kI64, {}}};
  for (size_t i = 1; i < n.args.size(); ++i) given.push_back(type(n.args[i]));
  gives(given);
}

void Rules::movedGhosts(const Call& n, Move move) {
  if (!need(n.args.size() > kGhostScalars, "a move with a wrong number of operands")) return;
  sizes({n.args.begin(), n.args.begin() + kGhostScalars});
  std::vector<Type> given;
  for (size_t i = kGhostScalars; i < n.args.size(); ++i) {
    const Type array = type(n.args[i]);
    if (!need(!array.isScalar(), "a move of a scalar")) return;
    if (move == Move::kRenew) {
      given.push_back(array);
      continue;
    }
    given.push_back(arrayOf({n.args[1]}, row(array)));
    given.push_back(arrayOf({n.args[2]}, row(array)));
  }
  gives(given);
}

}  // namespace halo::core
