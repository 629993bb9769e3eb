// The part of the prelude that is checked for a program.
#include "cli/session/prelude.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "cli/session/imports.h"
#include "lang/types/prelude.h"
#include "stdlib/embedded.h"

namespace halo::session {

namespace {

struct Part {
  explicit Part(const std::string& text) {
    diag::Sink sink;
    environment = preludeOnDemand(files);
    const source::FileId file = files.add("program.fut", text);
    environment = extendByProgram(files, environment, file, sink);
    INFO(diag::render(sink, files));
    REQUIRE(environment != nullptr);
  }

  bool has(const std::string& name) const {
    const auto& defs = types::program(*environment).defs;
    return std::any_of(defs.begin(), defs.end(), [&](const auto& def) { return def.name == name; });
  }

  source::Files files;
  types::EnvironmentRef environment;
};

}  // namespace

TEST_CASE("a program gets what it names, and what that needs") {
  const Part part("def main (xs: []f32) = f32.sum (map f32.tanh xs)");
  for (const char* name : {"f32.sum", "map", "f32.tanh", "tanh_f32", "exp_pair_f32", "reduce"}) {
    CHECK_MESSAGE(part.has(name), name);
  }
  for (const char* name : {"f64.tanh", "gamma_f32", "f32.gamma", "filter", "i8.popc"}) {
    CHECK_MESSAGE(!part.has(name), name);
  }
}

TEST_CASE("what a program defines is nothing to the prelude") {
  const Part part("def map (x: i32) = x  def reduce = map  def main (xs: []i32) = i32.sum xs");
  CHECK(part.has("i32.sum"));
  const Part local("def main (f32: {sqrt: i32}) = f32.sqrt");
  CHECK_FALSE(local.has("f32.sqrt"));
}

TEST_CASE("names of the prelude that are not checked are known") {
  source::Files files;
  const types::EnvironmentRef prelude = preludeOnDemand(files);
  CHECK(types::program(*prelude).defs.size() == 0);
  const std::vector<std::string> names = types::visibleNames(*prelude);
  for (const char* name : {"map", "f32.sqrt", "f64.exp", "stencil_2d", "stencil.stencil_2d"}) {
    CHECK_MESSAGE(std::binary_search(names.begin(), names.end(), name), name);
  }
}

TEST_CASE("the names found without parsing are those of the parsed files") {
  diag::Sink sink;
  source::Files files, others;
  const types::EnvironmentRef whole = wholePrelude(files, sink);
  REQUIRE(whole != nullptr);
  CHECK(types::visibleNames(*preludeOnDemand(others)) == types::visibleNames(*whole));
}

namespace {

size_t parseAll(const types::Prelude& prelude, const types::PreludeBody& body, syntax::Tree& tree) {
  size_t count = 0;
  for (const types::PreludeEntry& entry : body.entries) {
    const syntax::DeclId declaration = prelude.parse(entry, tree);
    const bool has_text = entry.kind == types::NameKind::kOpen;
    CHECK((has_text || !tree.decls[declaration].doc.empty()));
    ++count;
    if (entry.kind == types::NameKind::kModule) count += parseAll(prelude, *entry.members, tree);
  }
  return count;
}

}  // namespace

TEST_CASE("every declaration of the prelude can be parsed alone") {
  source::Files files;
  std::vector<source::FileId> parts;
  for (const stdlib::EmbeddedFile& file : stdlib::files()) {
    parts.push_back(files.add(std::string(file.name), std::string(file.text)));
  }
  const types::Prelude prelude(files, parts);
  syntax::Tree tree;
  CHECK(parseAll(prelude, *prelude.end().body, tree) > 1000);
}

TEST_CASE("operators bring the definitions that engines call") {
  CHECK(Part("def main (x: f32) = x ** x").has("pow_f32"));
  CHECK(Part("def main (x: f64) = x % x").has("fmod_f64"));
  CHECK_FALSE(Part("def main (x: f32) = x * x").has("pow_f32"));
}

TEST_CASE("a module type brings the members that it names") {
  const Part part("module f (T: real) = { def g = T.exp } module m = f f32");
  CHECK(part.has("f32.lgamma"));
  CHECK_FALSE(part.has("filter"));
}

TEST_CASE("local opens, sections and names of modules work with a part") {
  const Part part("open stencil  def a = f32.(sin pi)  module m = i64  def b = m.max");
  for (const char* name : {"f32.sin", "f32.pi", "i64.max", "stencil.stencil_1d"}) {
    CHECK_MESSAGE(part.has(name), name);
  }
}

TEST_CASE("places in the prelude are those of the whole files") {
  const Part part("def twice = iterate 2");
  const auto& defs = types::program(*part.environment).defs;
  auto found =
      std::find_if(defs.begin(), defs.end(), [](const auto& def) { return def.name == "iterate"; });
  REQUIRE(found != defs.end());
  diag::Sink sink;
  source::Files files;
  const types::EnvironmentRef whole = wholePrelude(files, sink);
  REQUIRE(whole != nullptr);
  for (const auto& def : types::program(*whole).defs) {
    if (def.name != "iterate") continue;
    CHECK(files.locate(def.span.file, def.span.begin).line ==
          part.files.locate(found->span.file, found->span.begin).line);
  }
}

TEST_CASE("the part for a small program is small") {
  diag::Sink sink;
  source::Files files;
  const types::EnvironmentRef whole = wholePrelude(files, sink);
  REQUIRE(whole != nullptr);
  const Part part("def main (xs: []i32) = i32.sum (map (+ 1) xs)");
  const size_t checked = types::program(*part.environment).defs.size();
  CHECK_MESSAGE(checked * 20 < types::program(*whole).defs.size(), checked);
}

}  // namespace halo::session
