// Structure of types, declarations and modules.
#include "lang/syntax/parse/parser.h"

#include <doctest/doctest.h>

#include "lang/syntax/test_support.h"

namespace halo::syntax {
namespace {

using test::Parsed;

std::string typeOutline(const std::string& text) {
  Parsed parsed("type t = " + text);
  if (parsed.sink.hasErrors()) return test::summary(parsed.sink);
  return outline(parsed.tree, std::get<TypeDecl>(parsed.tree.decls[DeclId(0)].node).type);
}

TEST_CASE("types") {
  CHECK(typeOutline("*[n][]f32.t") ==
        "(Unique (ArrayType (Variable n) (ArrayType _ (Type f32.t []))))");
  CHECK(typeOutline("(n: i64) -> a -> [n+1]b") ==
        "(FunctionType n (Type i64 []) (FunctionType _ (Type a []) (ArrayType (Binary + "
        "(Variable n) (Number 1)) (Type b []))))");
  CHECK(typeOutline("(a -> b) -> c") ==
        "(FunctionType _ (FunctionType _ (Type a []) (Type b [])) (Type c []))");
  CHECK(typeOutline("v [n] i32 (a, b)") ==
        "(Type v [(Size (Variable n)) (Type i32 []) (TupleType [ (Type a []) (Type b [])])])");
  CHECK(typeOutline("{x: a, 1: ()}") == "(RecordType [ x= (Type a []) 1= (TupleType [])])");
  CHECK(typeOutline("(a)") == "(Type a [])");
  CHECK(typeOutline("#a t (u, v) | #b [n]t | #in") ==
        "(Sum [ a= [ (Type t []) (TupleType [ (Type u []) (Type v [])])] "
        "b= [ (ArrayType (Variable n) (Type t []))] in= []])");
  CHECK(typeOutline("#a -> #b | #c") == "(FunctionType _ (Sum [ a= []]) (Sum [ b= [] c= []]))");
  CHECK(typeOutline("a -> ?[n][m].[n][m]t") ==
        "(FunctionType _ (Type a []) (Existential [ n m] (ArrayType (Variable n) (ArrayType "
        "(Variable m) (Type t [])))))");
  CHECK(typeOutline("#a | #b | #a") == "2004@19-21");
  CHECK(typeOutline("#a | b") == "2001@14-15");
  CHECK(typeOutline("?.t") == "2001@10-11");
  CHECK(typeOutline("?[n][n].t") == "2004@14-15");
  CHECK(typeOutline("[n]") == "2003@12-12");
}

TEST_CASE("declarations") {
  Parsed parsed(
      "-- | doc\n#[inline] def f [n] (xs: [n]i32) = n\nentry main = 1\ndef (a) +^ (b: t): t = a\n"
      "def x ** y = x\ndef (%%) x = x\nlet old = 2\nlocal open m.n\nopen import \"p\"\n"
      "import \"q\"\nmodule m = { def a = 1 module k = {} }\nval (+) 'a : a -> a\n");
  CHECK(parsed.errors() == "");
  CHECK(outline(parsed.tree, parsed.file) ==
        "(Doc \"doc\")(Attribute inline)(Def(Function f [ []n] [ (Typed (Name xs) (ArrayType "
        "(Variable n) (Type i32 [])))] _ (Variable n)))\n"
        "(Entry(Function main [] [] _ (Number 1)))\n"
        "(Def(Function +^ [] [ (Name a) (Typed (Name b) (Type t []))] (Type t []) "
        "(Variable a)))\n"
        "(Def(Function ** [] [ (Name x) (Name y)] _ (Variable x)))\n"
        "(Def(Function %% [] [ (Name x)] _ (Variable x)))\n"
        "(Def(Function old [] [] _ (Number 2)))\n"
        "Local (Open (ModuleName m.n))\n"
        "(Open (ModuleImport \"p\"))\n"
        "(Import \"q\")\n"
        "(Module m [] _ (Body [ (Def(Function a [] [] _ (Number 1))) (Module k [] _ (Body []))]))\n"
        "(Val + [ 'a] (FunctionType _ (Type a []) (Type a [])))\n");
}

std::string moduleOutline(const std::string& text) {
  Parsed parsed(text, false);
  if (parsed.sink.hasErrors()) return test::summary(parsed.sink);
  return outline(parsed.tree, parsed.file);
}

TEST_CASE("modules") {
  CHECK(moduleOutline("module m (P: mt) (Q: nt) : rt = f P (g Q) : st") ==
        "(Module m [(Parameter P (ModuleTypeName mt))(Parameter Q (ModuleTypeName nt))] "
        "(ModuleTypeName rt) (ModuleAscribe (ModuleApply (ModuleApply (ModuleName f) (ModuleName "
        "P)) (ModuleApply (ModuleName g) (ModuleName Q))) (ModuleTypeName st)))\n");
  CHECK(moduleOutline("module m = \\(P: mt) : nt -> { open P : qt } : rt") ==
        "(Module m [] _ (ModuleLambda(Parameter P (ModuleTypeName mt)) (ModuleTypeName nt) "
        "(ModuleAscribe (Body [ (Open (ModuleAscribe (ModuleName P) (ModuleTypeName qt)))]) "
        "(ModuleTypeName rt))))\n");
  CHECK(moduleOutline("module m = import \"a\"  open f { def a = 1 }  local import \"b\"") ==
        "(Module m [] _ (ModuleImport \"a\"))\n"
        "(Open (ModuleApply (ModuleName f) (Body [ (Def(Function a [] [] _ (Number 1)))])))\n"
        "Local (Import \"b\")\n");
  CHECK(moduleOutline("type~ t [n] 'a = a  type^ u = t -> t") ==
        "(TypeDecl~ t [ []n 'a] (Type a []))\n"
        "(TypeDecl^ u [] (FunctionType _ (Type t []) (Type t [])))\n");
  CHECK(moduleOutline("def a `op` b = a") ==
        "(Def(Function op [] [ (Name a) (Name b)] _ (Variable a)))\n");
}

TEST_CASE("module types") {
  CHECK(moduleOutline("module type mt = (P: a) -> b with t 'x = #c | #d with u = i32 -> e") ==
        "(ModuleType mt (Arrow(Parameter P (ModuleTypeName a)) (Arrow(Parameter  (With (With "
        "(ModuleTypeName b) t [ 'x] (Sum [ c= [] d= []])) u [] (Type i32 []))) "
        "(ModuleTypeName e))))\n");
  CHECK(moduleOutline("module type mt = {\n-- | doc\n#[a] val f 'a [n] : a val (+) : t val -: t "
                      "type t type~ u 'a type^ v = i32 module m : n include o with t = i32 }") ==
        "(ModuleType mt (Specs [ (Doc \"doc\")(Attribute a)(Val f [ 'a []n] (Type a [])) "
        "(Val + [] (Type t [])) (Val - [] (Type t [])) (TypeDecl t [] _) "
        "(TypeDecl~ u [ 'a] _) (TypeDecl^ v [] (Type i32 [])) "
        "(ModuleSpec m (ModuleTypeName n)) (Include (With (ModuleTypeName o) t [] "
        "(Type i32 [])))]))\n");
}

TEST_CASE("errors in modules") {
  CHECK(moduleOutline("module m (P) = {}") == "2001@11-12");
  CHECK(moduleOutline("module m (P: a) (P: b) = {}") == "2004@17-18");
  CHECK(moduleOutline("module m = def x = 1") == "2001@11-14");
  CHECK(moduleOutline("module m x = {}") == "2001@9-10");
  CHECK(moduleOutline("module type = {}") == "2001@12-13");
  CHECK(moduleOutline("module type t = { def x = 1 }") == "2001@18-21");
  CHECK(moduleOutline("module type t = { val x : ) type u = ] val : a }\ndef f = +") ==
        "2001@26-27 2001@37-38 2001@43-44 2001@57-58");
  CHECK(moduleOutline("module type t = { val x : a module x : b type t type t }") ==
        "2004@35-36 2004@53-54");
  CHECK(moduleOutline("module type t = a  module type t = b") == "2004@31-32");
  CHECK(moduleOutline("module type t = a with = b") == "2001@23-24");
  CHECK(moduleOutline("module m = (a : b") == "2003@17-17");
  CHECK(moduleOutline("open 1") == "2001@5-6");
  CHECK(moduleOutline("def (a, b) = c") == "2001@4-10");
  CHECK(moduleOutline("def f = let g = 1 def h = 2") == "2001@18-21");
  CHECK(moduleOutline("def f = let g 'a = 1 in 2") == "2001@17-18");
}

}  // namespace
}  // namespace halo::syntax
