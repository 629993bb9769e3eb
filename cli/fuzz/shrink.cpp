// Large steps first: each round offers whole parts to drop, then subtrees from the outside in.
#include "cli/fuzz/shrink.h"

#include <algorithm>

namespace halo::fuzz {

namespace {

constexpr int kRounds = 200;
constexpr size_t kOffers = 400;  // of one round

// The simplest expression of a type, without names.
Node simplest(const Type& type) {
  if (type.isBool()) return {type, "true", {}};
  if (type.isFloat()) return {type, "1" + type.name, {}};
  if (type.isScalar()) return {type, "1" + type.name, {}};
  if (type.isArray()) return {type, "(replicate " + type.name + " $)", {simplest(type.element())}};
  if (type.kind == Type::Kind::kSum) {
    return {type, "(" + constructor(0) + " $ : " + text(type) + ")", {simplest(type.parts[0])}};
  }
  const bool is_record = type.kind == Type::Kind::kRecord;
  Node node{type, "", {}};
  for (size_t i = 0; i < type.parts.size(); ++i) {
    node.text += (i > 0 ? ", " : "") + (is_record ? field(i) + " = $" : std::string("$"));
    node.children.push_back(simplest(type.parts[i]));
  }
  node.text = (is_record ? "{" : "(") + node.text + (is_record ? "}" : ")");
  return node;
}

using Offer = std::function<void(Node)>;

// All trees below `node` of its type that could stand in its place.
void offerInside(const Node& root, const Node& node, const Offer& offer) {
  for (const Node& child : node.children) {
    if (child.type == root.type) offer(child);
    offerInside(root, child, offer);
  }
}

void offerSmaller(const Node& node, const Offer& offer) {
  const Node least = simplest(node.type);
  if (!node.identity.empty()) {
    Node plain = node;
    plain.identity.clear();
    offer(std::move(plain));
  }
  if (size(least) < size(node) || (node.children.empty() && node.text != least.text)) offer(least);
  offerInside(node, node, offer);
  for (size_t i = 0; i < node.children.size(); ++i) {
    offerSmaller(node.children[i], [&](Node smaller) {
      Node changed = node;
      changed.children[i] = std::move(smaller);
      offer(std::move(changed));
    });
  }
}

template <typename List>
List without(List list, size_t i) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  return list;
}

class Shrinker {
 public:
  explicit Shrinker(const Program& program) : program_(program) {}

  std::vector<Program> parts() {
    for (size_t i = 0; program_.inputs.size() > 1 && i < program_.inputs.size(); ++i) {
      add([&](Program& smaller) { smaller.inputs = {program_.inputs[i]}; });
    }
    for (size_t i = 0; program_.results.size() > 1 && i < program_.results.size(); ++i) {
      add([&](Program& smaller) { smaller.results = {program_.results[i]}; });
      add([&](Program& smaller) { smaller.results = without(program_.results, i); });
    }
    for (size_t i = 0; i < program_.helpers.size(); ++i) {
      add([&](Program& smaller) { smaller.helpers = without(program_.helpers, i); });
    }
    for (size_t i = 0; i < program_.library.size(); ++i) {
      add([&](Program& smaller) { smaller.library = without(program_.library, i); });
    }
    return std::move(offers_);
  }

  std::vector<Program> trees() {
    for (size_t i = 0; i < program_.results.size(); ++i) {
      offerSmaller(program_.results[i], [&](Node node) {
        add([&](Program& smaller) { smaller.results[i] = std::move(node); });
      });
    }
    for (size_t i = 0; i < program_.helpers.size(); ++i) {
      offerSmaller(program_.helpers[i].body, [&](Node node) {
        add([&](Program& smaller) { smaller.helpers[i].body = std::move(node); });
      });
    }
    return std::move(offers_);
  }

  std::vector<Program> values() {
    for (size_t p = 0; p < program_.parameters.size(); ++p) {
      add([&](Program& smaller) {
        smaller.parameters.erase(smaller.parameters.begin() + static_cast<std::ptrdiff_t>(p));
        for (Input& input : smaller.inputs) input.elements = without(input.elements, p);
      });
    }
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      const Input& input = program_.inputs[i];
      for (int64_t n : {int64_t{0}, input.n / 2, input.n - 1}) cut(i, n, input.m);
      for (int64_t m : {int64_t{0}, input.m / 2, input.m - 1}) cut(i, input.n, m);
      zero(i);
    }
    return std::move(offers_);
  }

 private:
  template <typename Change>
  void add(const Change& change) {
    if (offers_.size() >= kOffers) return;
    offers_.push_back(program_);
    change(offers_.back());
  }

  // The front part of every array.
  void cut(size_t i, int64_t n, int64_t m) {
    const Input& whole = program_.inputs[i];
    if (n < 0 || m < 0 || (n >= whole.n && m >= whole.m)) return;
    add([&](Program& smaller) {
      Input& input = smaller.inputs[i];
      input.n = n;
      input.m = m;
      for (size_t p = 0; p < smaller.parameters.size(); ++p) {
        const Type& type = smaller.parameters[p].type;
        if (!type.isArray()) continue;
        int64_t count = 1;
        for (const Type* at = &type; at->isArray(); at = &at->element()) {
          count *= at->name == "n" ? n : m;
        }
        input.elements[p].resize(static_cast<size_t>(count));
      }
    });
  }

  void zero(size_t i) {
    for (size_t p = 0; p < program_.parameters.size(); ++p) {
      const Type* at = &program_.parameters[p].type;
      while (at->isArray()) at = &at->element();
      const std::string zero = at->isBool() ? "false" : "0" + at->name;
      const std::vector<std::string>& elements = program_.inputs[i].elements[p];
      for (size_t e = 0; e < elements.size(); ++e) {
        if (elements[e] == zero) continue;
        add([&](Program& smaller) { smaller.inputs[i].elements[p][e] = zero; });
      }
    }
  }

  const Program& program_;
  std::vector<Program> offers_;
};

}  // namespace

Program shrink(Program program, const FirstFailing& first_failing) {
  for (int round = 0; round < kRounds; ++round) {
    bool smaller = false;
    for (auto offers : {&Shrinker::parts, &Shrinker::trees, &Shrinker::values}) {
      std::vector<Program> candidates = (Shrinker(program).*offers)();
      const auto found = first_failing(candidates);
      if (!found) continue;
      program = std::move(candidates[*found]);
      smaller = true;
      break;
    }
    if (!smaller) break;
  }
  return program;
}

}  // namespace halo::fuzz
