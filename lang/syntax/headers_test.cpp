// Declarations found without parsing.
#include "lang/syntax/headers.h"

#include <doctest/doctest.h>

#include "lang/syntax/parse/parser.h"

namespace halo::syntax {
namespace {

constexpr const char* kText = R"(-- A comment.

-- | A value.
def f 'a (x: a)
      (y: a): a =
  let def_z = x
  in def_z

def (|>) 'a 'b (x: a) (f: a -> b): b = f x
module type s = {
  type t
  val x : t
}
module m = {
  open k

  -- | A member.
  val (+) : i8 -> i8
  type t = i8
}
type u = i32
)";

}  // namespace

TEST_CASE("declarations and members by their lines") {
  source::Files files;
  const std::string text = kText;
  const source::FileId file = files.add("p.fut", text);
  const auto size = static_cast<uint32_t>(text.size());
  std::string found;
  std::vector<Header> all = headers(files, {file, 0, size}, 0);
  for (const Header& header : all) found += header.name + " ";
  CHECK(found == "f |> s m u ");
  CHECK(files.text(all[0].span).starts_with("-- | A value.\ndef f"));
  CHECK(all[2].kind == HeaderKind::kModuleType);
  REQUIRE(all[3].kind == HeaderKind::kModule);
  found.clear();
  for (const Header& header : headers(files, all[3].span, 2)) found += header.name + " ";
  CHECK(found == "k + t ");
  CHECK(files.text(headers(files, all[3].span, 2).back().span) == "type t = i8\n");
}

TEST_CASE("a part is parsed as what it is in the whole file") {
  source::Files files;
  const std::string text = "def a = 1\ndef b = a + 2\ndef c = 3\n";
  const source::FileId file = files.add("p.fut", text);
  const std::vector<Header> all = headers(files, {file, 0, static_cast<uint32_t>(text.size())}, 0);
  REQUIRE(all.size() == 3);
  Tree tree;
  diag::Sink sink;
  const File part = parsePart(files, all[1].span, {}, tree, sink);
  REQUIRE(!sink.hasErrors());
  REQUIRE(part.declarations.size() == 1);
  CHECK(tree.decls[part.declarations[0]].span.begin == text.find("def b"));
}

}  // namespace halo::syntax
