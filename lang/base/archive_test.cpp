#include "lang/base/archive.h"

#include <doctest/doctest.h>

#include <map>

#include "lang/base/id.h"

namespace halo::base {
namespace {

using NodeId = Id<struct NodeTag>;
enum class Colour : uint8_t { kRed, kBlue };
struct Leaf {
  int64_t number = 0;
  Colour colour = Colour::kRed;
};
struct Fork {
  std::vector<NodeId> children;
  std::optional<double> weight;
  std::vector<bool> flags;
  std::map<std::string, Leaf> named;
};
struct Node : std::variant<Leaf, Fork> {
  using std::variant<Leaf, Fork>::variant;
};
struct Tree {
  Store<Node, NodeId> nodes;
  NodeId root, none;
};

Tree sample() {
  Tree tree;
  tree.nodes.add(Leaf{-7, Colour::kBlue});
  tree.root = tree.nodes.add(Fork{{NodeId(0), NodeId()}, 0.5, {true, false}, {{"a", {3, {}}}}});
  return tree;
}

std::string bytesOf(const Tree& tree) {
  ArchiveWriter writer;
  writer.put(tree);
  return writer.bytes();
}

bool canRead(std::string_view bytes, Tree* tree) {
  ArchiveReader reader(bytes);
  reader.get(*tree);
  return reader.isRight();
}

}  // namespace

TEST_CASE("what an archive holds comes back") {
  Tree tree;
  REQUIRE(canRead(bytesOf(sample()), &tree));
  CHECK(bytesOf(tree) == bytesOf(sample()));
  CHECK(std::get<Leaf>(tree.nodes[NodeId(0)]).number == -7);
  CHECK(std::get<Leaf>(tree.nodes[NodeId(0)]).colour == Colour::kBlue);
  const Fork& fork = std::get<Fork>(tree.nodes[tree.root]);
  CHECK(!fork.children[1].valid());
  CHECK(fork.weight == 0.5);
  CHECK(fork.flags == std::vector<bool>{true, false});
  CHECK(fork.named.at("a").number == 3);
}

TEST_CASE("another value has other bytes") {
  Tree other = sample();
  std::get<Fork>(other.nodes[other.root]).flags[1] = true;
  CHECK(bytesOf(other) != bytesOf(sample()));
}

TEST_CASE("too few or too many bytes are found out") {
  const std::string bytes = bytesOf(sample());
  for (size_t length = 0; length < bytes.size(); ++length) {
    Tree tree;
    CHECK(!canRead(std::string_view(bytes).substr(0, length), &tree));
  }
  Tree tree;
  CHECK(!canRead(bytes + "x", &tree));
  CHECK(!canRead(std::string(40, '\xff'), &tree));
}

}  // namespace halo::base
