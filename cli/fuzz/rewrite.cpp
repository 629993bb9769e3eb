// Identities by type: of any value, of numbers, of arrays, of matrices. `$` is the expression, `T`
// its type, `N` and `M` its sizes. No `$` stands under a binder, so names are never captured.
#include "cli/fuzz/rewrite.h"

#include "cli/session/values/random_values.h"

namespace halo::fuzz {

namespace {

constexpr size_t kIdentities = 6;  // of one program
constexpr size_t kLargest = 120;   // nodes of an expression that an identity mentions twice

using Rules = std::vector<const char*>;

const Rules kAny = {"(let q' = $ in q')",
                    "(opaque $)",
                    "(id $)",
                    "(loop q' = $ for _i < 1 do q')",
                    "(if opaque true then $ else $)",
                    "(match opaque 1i64 case 0 -> $ case _ -> $)"};
const Rules kScalar = {"([$])[0]", "(head (replicate 3 $))"};
const Rules kInteger = {"(-(-$))", "($ ^ 0)", "($ + 1 - 1)", "(!(!$))"};
const Rules kArray = {"(reverse (reverse $))",
                      "(map (\\q' -> q') $)",
                      "(let q' = $ in tabulate N (\\i' -> q'[i']))",
                      "(rotate 1 (rotate (-1) $))",
                      "(let q' = $ in (take (N / 2) q' ++ drop (N / 2) q') :> T)",
                      "(let q' = $ in reverse (map (\\i' -> q'[N - 1 - i']) (iota N)))",
                      "(($)[::-1])[::-1]",
                      "(let q' = $ in loop r' = copy q' for i' < N do r' with [i'] = copy q'[i'])",
                      "(let q' = $ in scatter (copy q') (iota N) q')",
                      "(let q' = $ in (unzip (zip q' (iota N))).0)",
                      "(filter (\\_ -> true) $ :> T)",
                      "(let q' = $ in map2 (\\a' _ -> a') q' (scan (+) 0 (iota N)))",
                      "(flatten (map (\\q' -> [q']) $) :> T)"};
const Rules kMatrix = {"(transpose (transpose $))", "(map (map (\\q' -> q')) $)",
                       "(let q' = $ in tabulate_2d N M (\\i' j' -> q'[i', j']))",
                       "(map (\\q' -> reverse q') (map (\\q' -> reverse q') $))"};

Rules rulesFor(const Type& type) {
  Rules rules = kAny;
  const auto add = [&](const Rules& more) { rules.insert(rules.end(), more.begin(), more.end()); };
  if (type.isScalar()) add(kScalar);
  if (type.isInteger()) add(kInteger);
  if (type.isArray()) add(kArray);
  if (type.isArray() && type.element().isArray()) add(kMatrix);
  return rules;
}

std::string applied(const std::string& rule, const Type& type) {
  std::string out;
  for (const char c : rule) {
    if (c == 'T') {
      out += text(type);
    } else if (c == 'N') {
      out += type.name;
    } else if (c == 'M') {
      out += type.element().name;
    } else {
      out += c;
    }
  }
  return out;
}

// A lambda has the type of its result; the identities are for values.
bool isFunction(const Node& node) {
  return node.text.rfind("(\\", 0) == 0 || node.text.rfind('\\', 0) == 0;
}

void collect(Node& node, std::vector<Node*>& nodes) {
  nodes.push_back(&node);
  for (Node& child : node.children) collect(child, nodes);
}

}  // namespace

void rewrite(Program& program, uint64_t seed) {
  session::RandomBits random(seed);
  std::vector<Node*> nodes;
  for (Node& result : program.results) collect(result, nodes);
  for (size_t i = 0; i < kIdentities; ++i) {
    Node& node = *nodes[random.bits() % nodes.size()];
    if (size(node) > kLargest || isFunction(node)) continue;
    const Rules rules = rulesFor(node.type);
    node.identity = applied(rules[random.bits() % rules.size()], node.type);
  }
}

}  // namespace halo::fuzz
