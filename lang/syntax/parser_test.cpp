// Structure of expressions, types, patterns and declarations; precedence; syntax errors.
#include "lang/syntax/parser.h"

#include <doctest/doctest.h>

#include "lang/base/match.h"
#include "lang/syntax/test_support.h"

namespace halo::syntax {
namespace {

using test::expressionOutline;
using test::Parsed;

// Both texts are the same program, up to the parentheses of the second.
void checkGroups(const std::string& text, const std::string& grouped) {
  auto withoutParens = [](std::string outline) {
    // (Paren x) -> x: drop the head, then its closing bracket.
    for (size_t at; (at = outline.find("(Paren ")) != std::string::npos;) {
      size_t end = at;
      int open = 0;
      do {
        if (outline[end] == '(' && outline[end + 1] != ')') open++;
        if (outline[end] == ')') open--;
        end++;
      } while (open > 0);
      outline =
          outline.substr(0, at) + outline.substr(at + 7, end - 1 - (at + 7)) + outline.substr(end);
    }
    return outline;
  };
  CAPTURE(text);
  CHECK(withoutParens(expressionOutline(text)) == withoutParens(expressionOutline(grouped)));
}

TEST_CASE("precedence of operators, loosest first") {
  checkGroups("a ..< b `f` c", "a ..< (b `f` c)");
  checkGroups("a `f` b with [0] = c", "a `f` (b with [0] = c)");
  checkGroups("a |> f with [0] = b |> g", "(a |> f) with [0] = (b |> g)");
  checkGroups("a |> f <| b", "a |> (f <| b)");
  checkGroups("f <| a || b", "f <| (a || b)");
  checkGroups("a || b && c", "a || (b && c)");
  checkGroups("a && b == c", "a && (b == c)");
  checkGroups("a == b & c", "a == (b & c)");
  checkGroups("a & b << c", "a & (b << c)");
  checkGroups("a << b + c", "a << (b + c)");
  checkGroups("a + b * c", "a + (b * c)");
  checkGroups("a * b ** c", "a * (b ** c)");
  checkGroups("a ** -b", "a ** (-b)");
  checkGroups("a ** f b", "a ** (f b)");
  checkGroups("f a[0]", "f (a[0])");
  checkGroups("-f x", "-(f x)");
  checkGroups("-x ** y", "(-x) ** y");
  checkGroups("-x.0[1]", "-((x.0)[1])");
  checkGroups("!a && b", "(!a) && b");
}

TEST_CASE("operators of one level") {
  checkGroups("a - b + c", "(a - b) + c");
  checkGroups("a / b // c %% d", "((a / b) // c) %% d");
  checkGroups("a < b == c", "(a < b) == c");
  checkGroups("a & b ^ c | d", "((a & b) ^ c) | d");
  checkGroups("a ** b ** c", "(a ** b) ** c");
  checkGroups("f <| g <| x", "f <| (g <| x)");
  checkGroups("x |> f |> g", "(x |> f) |> g");
  checkGroups("a `f` b `g` c", "(a `f` b) `g` c");
  checkGroups("a with [0] = b with [1] = c", "(a with [0] = b) with [1] = c");
}

TEST_CASE("an operator has the level of the built-in one that it begins with") {
  checkGroups("a +^ b * c", "a +^ (b * c)");
  checkGroups("a *. b + c", "(a *. b) + c");
  checkGroups("a i32.* b + c", "(a i32.* b) + c");
  checkGroups("f >-> g |> h", "(f >-> g) |> h");
  checkGroups("a <<| b + c", "a <<| (b + c)");
  checkGroups("a ||| b && c", "a ||| (b && c)");
}

TEST_CASE("what ends in an expression reaches as far as it can") {
  checkGroups("1 + if a then b else c + d", "1 + (if a then b else (c + d))");
  checkGroups("if a then b else c : t", "if a then b else (c : t)");
  checkGroups("\\x -> x + 1 : t", "\\x -> ((x + 1) : t)");
  checkGroups("1 + \\x -> #[a] x : t :> u", "1 + (\\x -> (#[a] ((x : t) :> u)))");
  checkGroups("let x = a : t in b : u", "let x = (a : t) in (b : u)");
  checkGroups("let x = a in x with [0] = b", "let x = a in (x with [0] = b)");
  checkGroups("f <| \\x -> x |> g", "f <| (\\x -> (x |> g))");
  checkGroups("x : a :> b", "((x : a) :> b)");
  checkGroups("if a then b else if c then d else e", "if a then b else (if c then d else e)");
}

TEST_CASE("space before a bracket") {
  CHECK(expressionOutline("f[x]") == "(Index (Variable f) [ (Variable x)])");
  CHECK(expressionOutline("f [x]") == "(Apply (Variable f) (Array [ (Variable x)]))");
  CHECK(expressionOutline("(f)[0][1]") ==
        "(Index (Index (Paren (Variable f)) [ (Number 0)]) [ (Number 1)])");
  CHECK(expressionOutline("f x[0] y") ==
        "(Apply (Apply (Variable f) (Index (Variable x) [ (Number 0)])) (Variable y))");
}

TEST_CASE("indexes and slices") {
  CHECK(expressionOutline("a[i, 1:n, ::-1, :]") ==
        "(Index (Variable a) [ (Variable i)(Slice (Number 1) (Variable n) _)"
        "(Slice _ _ (Unary - (Number 1)))(Slice _ _ _)])");
}

TEST_CASE("projection and qualified names") {
  CHECK(expressionOutline("x.0.1") == "(Project (Project (Variable x) 0) 1)");
  CHECK(expressionOutline("f32.sum xs") == "(Apply (Variable f32.sum) (Variable xs))");
  CHECK(expressionOutline("(f x).a.b") ==
        "(Project (Project (Paren (Apply (Variable f) (Variable x))) a) b)");
  CHECK(expressionOutline("a i32.+ b") == "(Binary i32.+ (Variable a) (Variable b))");
  CHECK(expressionOutline("f i32.+ b") == "(Binary i32.+ (Variable f) (Variable b))");
}

TEST_CASE("sections") {
  CHECK(expressionOutline("(+)") == "(Variable +)");
  CHECK(expressionOutline("(i32.+)") == "(Variable i32.+)");
  CHECK(expressionOutline("(+ x)") == "(Section + _ (Variable x))");
  CHECK(expressionOutline("(x +)") == "(Section + (Variable x) _)");
  CHECK(expressionOutline("(a * b +)") == "(Section + (Binary * (Variable a) (Variable b)) _)");
  CHECK(expressionOutline("(`f` x)") == "(Section f _ (Variable x))");
  CHECK(expressionOutline("(x `m.f`)") == "(Section m.f (Variable x) _)");
  CHECK(expressionOutline("(-)") == "(Variable -)");
  CHECK(expressionOutline("(-x)") == "(Paren (Unary - (Variable x)))");
  CHECK(expressionOutline("(- x)") == "(Paren (Unary - (Variable x)))");
  CHECK(expressionOutline("(x -)") == "(Section - (Variable x) _)");
  CHECK(expressionOutline("((x +))") == "(Paren (Section + (Variable x) _))");
  CHECK(expressionOutline("(.a.0)") == "(ProjectSection [ a 0])");
  CHECK(expressionOutline("(.[i,1:])") == "(IndexSection [ (Variable i)(Slice (Number 1) _ _)])");
  CHECK(expressionOutline("(a + b *)") == "2001@8-9");
}

TEST_CASE("literals") {
  CHECK(expressionOutline("(1, 2u8, 0x10, 1.5e3f32, 'a', true,)") ==
        "(Tuple [ (Number 1) (Number 2u8) (Number 16) (Number 1.5e3f32) (Number 97) (Bool true)])");
  CHECK(expressionOutline("-128i8") == "(Unary - (Number 128i8))");
  CHECK(expressionOutline("128i8") == "1003@0-5");
  CHECK(expressionOutline("1 - 128i8") == "1003@4-9");
  CHECK(expressionOutline("{a = 1, b, 0 = c}") ==
        "(Record [ a= (Number 1) b= (Variable b) 0= (Variable c)])");
  CHECK(expressionOutline("[[1],[],]") == "(Array [ (Array [ (Number 1)]) (Array [])])");
  CHECK(expressionOutline("()") == "(Tuple [])");
}

TEST_CASE("ranges") {
  CHECK(expressionOutline("0..<n") == "(Range..< (Number 0) _ (Variable n))");
  CHECK(expressionOutline("0..2...n+1") ==
        "(Range... (Number 0) (Number 2) (Binary + (Variable n) (Number 1)))");
  CHECK(expressionOutline("n..>0 : t") ==
        "(Ascribe (Range..> (Variable n) _ (Number 0)) (Type t [] []))");
  CHECK(expressionOutline("a..<b..<c") == "2001@5-8");
  CHECK(expressionOutline("a..b") == "2003@4-4");
}

TEST_CASE("lets") {
  CHECK(expressionOutline("let x = 1 let (y, _) = x in y") ==
        "(Let [] (Name x) (Number 1) (Let [] (TuplePattern [ (Name y) (Wildcard)]) (Variable x) "
        "(Variable y)))");
  CHECK(expressionOutline("let a[i] = v in a") ==
        "(Let [] (Name a) (Update (Variable a) [ (Variable i)] (Variable v)) (Variable a))");
  CHECK(expressionOutline("let r.f.0 = v in r") ==
        "(Let [] (Name r) (RecordUpdate (Variable r) [ f 0] (Variable v)) (Variable r))");
  CHECK(expressionOutline("let [n][m] (a: [n][m]t) = b in n") ==
        "(Let [ n m] (Typed (Name a) (ArrayType (Variable n) (ArrayType (Variable m) "
        "(Type t [] [])))) (Variable b) (Variable n))");
  CHECK(expressionOutline("let f 'a [n] (x: [n]a): a = x in f") ==
        "(LetFunction(Function f [ 'a []n] [ (Typed (Name x) (ArrayType (Variable n) "
        "(Type a [] [])))] (Type a [] []) (Variable x)) (Variable f))");
  CHECK(expressionOutline("let (+^) a b = a in c") ==
        "(LetFunction(Function +^ [] [ (Name a) (Name b)] _ (Variable a)) (Variable c))");
  CHECK(expressionOutline("r with a.b = 1") == "(RecordUpdate (Variable r) [ a b] (Number 1))");
  CHECK(expressionOutline("r with 0.1 = 2") == "(RecordUpdate (Variable r) [ 0 1] (Number 2))");
}

TEST_CASE("loops") {
  CHECK(expressionOutline("loop x = 0 for i < n do x + i") ==
        "(Loop [] (Name x) (Number 0) (For i (Variable n)) (Binary + (Variable x) (Variable i)))");
  CHECK(expressionOutline("loop (x, {a}) while x do y") ==
        "(LoopImplicit [] (TuplePattern [ (Name x) (RecordPattern [ a= (Name a)])]) (Tuple [ "
        "(Variable x) (Record [ a= (Variable a)])]) (While (Variable x)) (Variable y))");
  CHECK(expressionOutline("loop (x: t) for (a, b) in xs do x") ==
        "(LoopImplicit [] (Typed (Name x) (Type t [] [])) (Variable x) (ForIn (TuplePattern "
        "[ (Name a) (Name b)]) (Variable xs)) (Variable x))");
  CHECK(expressionOutline("loop _ for i < n do 1") == "2001@5-6");
}

TEST_CASE("lambdas, attributes, assert") {
  CHECK(expressionOutline("\\x (y: i32): t -> x") ==
        "(Lambda [ (Name x) (Typed (Name y) (Type i32 [] []))] (Type t [] []) (Variable x))");
  CHECK(expressionOutline("#[unsafe] a[i] + 1") ==
        "(Attributed unsafe (Binary + (Index (Variable a) [ (Variable i)]) (Number 1)))");
  CHECK(expressionOutline("assert (a) b + c") ==
        "(Binary + (Assert (Paren (Variable a)) (Variable b)) (Variable c))");
}

TEST_CASE("constructors and match") {
  CHECK(expressionOutline("#foo (a, b) 3") ==
        "(Constructor foo [ (Tuple [ (Variable a) (Variable b)]) (Number 3)])");
  CHECK(expressionOutline("f #a #in x") ==
        "(Apply (Apply (Apply (Variable f) (Constructor a [])) (Constructor in [])) (Variable x))");
  CHECK(expressionOutline("#a x |> f") ==
        "(Binary |> (Constructor a [ (Variable x)]) (Variable f))");
  CHECK(expressionOutline("# a") == "2001@0-1");
  CHECK(expressionOutline("match x case #a 1 (b: t) -> b case -1 -> 2 + c") ==
        "(Match (Variable x) [(Case (ConstructorPattern a [ (LiteralPattern (Number 1)) "
        "(Typed (Name b) (Type t [] []))]) (Variable b))(Case (LiteralPattern (Unary - "
        "(Number 1))) (Binary + (Number 2) (Variable c)))])");
  CHECK(expressionOutline("1 + match a case {b, c = #d} -> match e case #f -> g case _ -> h : t") ==
        "(Binary + (Number 1) (Match (Variable a) [(Case (RecordPattern [ b= (Name b) c= "
        "(ConstructorPattern d [])]) (Match (Variable e) [(Case (ConstructorPattern f []) "
        "(Variable g))(Case (Wildcard) (Ascribe (Variable h) (Type t [] [])))]))]))");
  CHECK(expressionOutline("match a case #[b] (c, 'x', true) -> d") ==
        "(Match (Variable a) [(Case (AttributedPattern b (TuplePattern [ (Name c) "
        "(LiteralPattern (Number 120)) (LiteralPattern (Bool true))])) (Variable d))])");
  CHECK(expressionOutline("match a case -128i8 -> b") ==
        "(Match (Variable a) [(Case (LiteralPattern (Unary - (Number 128i8))) (Variable b))])");
  CHECK(expressionOutline("match a case 128i8 -> b") == "1003@13-18");
  CHECK(expressionOutline("match a b") == "2003@9-9");
  CHECK(expressionOutline("match a case -b -> c") == "2001@14-15");
  CHECK(expressionOutline("match a case (b, #c b) -> b") == "2004@20-21");
  CHECK(expressionOutline("loop #a for i < n do 1") == "2001@5-7");
  CHECK(expressionOutline("loop (a, 1) for i < n do 1") == "2001@9-10");
}

TEST_CASE("paths") {
  CHECK(expressionOutline("x with a[i].b = 1") ==
        "(PathUpdate (Variable x) [ a [ (Variable i)] b] (Number 1))");
  CHECK(expressionOutline("x with 0[i] = 1") ==
        "(PathUpdate (Variable x) [ 0 [ (Variable i)]] (Number 1))");
  CHECK(expressionOutline("x with [i].0.1 = 1") ==
        "(PathUpdate (Variable x) [ [ (Variable i)] 0 1] (Number 1))");
  CHECK(expressionOutline("let r.a[i].b = v in r") ==
        "(Let [] (Name r) (PathUpdate (Variable r) [ a [ (Variable i)] b] (Variable v)) "
        "(Variable r))");
  CHECK(expressionOutline("let a[i].b = v in a") ==
        "(Let [] (Name a) (PathUpdate (Variable a) [ [ (Variable i)] b] (Variable v)) "
        "(Variable a))");
  CHECK(expressionOutline("(.a[i].b)") == "(PathSection [ a [ (Variable i)] b])");
  CHECK(expressionOutline("(.[i][j])") == "(PathSection [ [ (Variable i)] [ (Variable j)]])");
  CHECK(expressionOutline("x with a. = 1") == "2001@10-11");
}

TEST_CASE("holes, local opens, spaces in front of a field") {
  CHECK(expressionOutline("f ???") == "(Apply (Variable f) (Hole))");
  CHECK(expressionOutline("m.n.(x + y)[0]") ==
        "(Index (LocalOpen m.n (Binary + (Variable x) (Variable y))) [ (Number 0)])");
  CHECK(expressionOutline("m.(+)") == "(LocalOpen m (Variable +))");
  CHECK(expressionOutline("m.(a, b)") == "(LocalOpen m (Tuple [ (Variable a) (Variable b)]))");
  CHECK(expressionOutline("m.((a))") == "(LocalOpen m (Paren (Variable a)))");
  CHECK(expressionOutline("f m.(x)") == "(Apply (Variable f) (LocalOpen m (Variable x)))");
  CHECK(expressionOutline("(m).(x)") == "2001@4-5");
  CHECK(expressionOutline("x .y. z") == "(Variable x.y.z)");
  CHECK(expressionOutline("(f x)\n  .a") ==
        "(Project (Paren (Apply (Variable f) (Variable x))) a)");
}

TEST_CASE("a type in an index belongs to a slice") {
  CHECK(
      expressionOutline("a[if b then c else d:e]") ==
      "(Index (Variable a) [(Slice (If (Variable b) (Variable c) (Variable d)) (Variable e) _)])");
  CHECK(expressionOutline("a[(\\x -> x : t) : \\y -> y]") ==
        "(Index (Variable a) [(Slice (Paren (Lambda [ (Name x)] _ (Ascribe (Variable x) "
        "(Type t [] [])))) (Lambda [ (Name y)] _ (Variable y)) _)])");
}

std::string typeOutline(const std::string& text) {
  Parsed parsed("type t = " + text);
  if (parsed.sink.hasErrors()) return test::summary(parsed.sink);
  return outline(parsed.tree, std::get<TypeDecl>(parsed.tree.decls[DeclId(0)].node).type);
}

TEST_CASE("types") {
  CHECK(typeOutline("*[n][]f32.t") ==
        "(Unique (ArrayType (Variable n) (ArrayType _ (Type f32.t [] []))))");
  CHECK(typeOutline("(n: i64) -> a -> [n+1]b") ==
        "(FunctionType n (Type i64 [] []) (FunctionType _ (Type a [] []) (ArrayType (Binary + "
        "(Variable n) (Number 1)) (Type b [] []))))");
  CHECK(typeOutline("(a -> b) -> c") ==
        "(FunctionType _ (FunctionType _ (Type a [] []) (Type b [] [])) (Type c [] []))");
  CHECK(
      typeOutline("v [n] i32 (a, b)") ==
      "(Type v [ (Variable n)] [ (Type i32 [] []) (TupleType [ (Type a [] []) (Type b [] [])])])");
  CHECK(typeOutline("{x: a, 1: ()}") == "(RecordType [ x= (Type a [] []) 1= (TupleType [])])");
  CHECK(typeOutline("(a)") == "(Type a [] [])");
  CHECK(typeOutline("#a t (u, v) | #b [n]t | #in") ==
        "(Sum [ a= [ (Type t [] []) (TupleType [ (Type u [] []) (Type v [] [])])] "
        "b= [ (ArrayType (Variable n) (Type t [] []))] in= []])");
  CHECK(typeOutline("#a -> #b | #c") == "(FunctionType _ (Sum [ a= []]) (Sum [ b= [] c= []]))");
  CHECK(typeOutline("a -> ?[n][m].[n][m]t") ==
        "(FunctionType _ (Type a [] []) (Existential [ n m] (ArrayType (Variable n) (ArrayType "
        "(Variable m) (Type t [] [])))))");
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
        "(Variable n) (Type i32 [] [])))] _ (Variable n)))\n"
        "(Entry(Function main [] [] _ (Number 1)))\n"
        "(Def(Function +^ [] [ (Name a) (Typed (Name b) (Type t [] []))] (Type t [] []) "
        "(Variable a)))\n"
        "(Def(Function ** [] [ (Name x) (Name y)] _ (Variable x)))\n"
        "(Def(Function %% [] [ (Name x)] _ (Variable x)))\n"
        "(Def(Function old [] [] _ (Number 2)))\n"
        "Local (Open (ModuleName m.n))\n"
        "(Open (ModuleImport \"p\"))\n"
        "(Import \"q\")\n"
        "(Module m [] _ (Body [ (Def(Function a [] [] _ (Number 1))) (Module k [] _ (Body []))]))\n"
        "(Val + [ 'a] (FunctionType _ (Type a [] []) (Type a [] [])))\n");
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
        "(TypeDecl~ t [ []n 'a] (Type a [] []))\n"
        "(TypeDecl^ u [] (FunctionType _ (Type t [] []) (Type t [] [])))\n");
  CHECK(moduleOutline("def a `op` b = a") ==
        "(Def(Function op [] [ (Name a) (Name b)] _ (Variable a)))\n");
}

TEST_CASE("module types") {
  CHECK(moduleOutline("module type mt = (P: a) -> b with t 'x = #c | #d with u = i32 -> e") ==
        "(ModuleType mt (Arrow(Parameter P (ModuleTypeName a)) (Arrow(Parameter  (With (With "
        "(ModuleTypeName b) t [ 'x] (Sum [ c= [] d= []])) u [] (Type i32 [] []))) "
        "(ModuleTypeName e))))\n");
  CHECK(moduleOutline("module type mt = {\n-- | doc\n#[a] val f 'a [n] : a val (+) : t val -: t "
                      "type t type~ u 'a type^ v = i32 module m : n include o with t = i32 }") ==
        "(ModuleType mt (Specs [ (Doc \"doc\")(Attribute a)(Val f [ 'a []n] (Type a [] [])) "
        "(Val + [] (Type t [] [])) (Val - [] (Type t [] [])) (TypeDecl t [] _) "
        "(TypeDecl~ u [ 'a] _) (TypeDecl^ v [] (Type i32 [] [])) "
        "(ModuleSpec m (ModuleTypeName n)) (Include (With (ModuleTypeName o) t [] "
        "(Type i32 [] [])))]))\n");
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

TEST_CASE("spans are exact") {
  Parsed parsed("def f = (g x) + -y[0] with [1] = z");
  REQUIRE_FALSE(parsed.sink.hasErrors());
  std::string all;
  for (const Expr& expr : parsed.tree.exprs) {
    all += std::string(parsed.files.text(expr.span)) + "|";
  }
  CHECK(all == "g|x|g x|(g x)|y|0|y[0]|-y[0]|(g x) + -y[0]|1|z|(g x) + -y[0] with [1] = z|");
}

std::string problems(const std::string& text) { return test::summary(Parsed(text, false).sink); }

TEST_CASE("syntax errors have codes and ranges") {
  CHECK(problems("def f = + 1") == "2001@8-9");
  CHECK(problems("def f = 1 )") == "2001@10-11");
  CHECK(problems("def = 1") == "2001@4-5");
  CHECK(problems("foo") == "2001@0-3");
  CHECK(problems("def f = if a then b") == "2003@19-19");
  CHECK(problems("def f = (1, 2\n") == "2003@13-13");
  CHECK(problems("def f = let x = 1 x") == "2003@19-19");
  CHECK(problems("def f x x = 1") == "2004@8-9");
  CHECK(problems("def f 'a 'a = 1") == "2004@9-11");
  CHECK(problems("def f [n][n] = 1") == "2004@10-11");
  CHECK(problems("def f [n] (n: i64) = 1") == "2004@11-12");
  CHECK(problems("def f [n] 'n (x: n) = 1") == "");
  CHECK(problems("def f = let [n] (n, _) = 1 in n") == "2004@17-18");
  CHECK(problems("type t [n][n] = i32") == "2004@11-12");
  CHECK(problems("def f = 1 def f = 2") == "2004@14-15");
  CHECK(problems("def f = {a = 1, a = 2}") == "2004@16-17");
  CHECK(problems("val x : i32") == "2001@0-3");
  CHECK(problems("def (&&) a b = a") == "2001@5-7");
}

TEST_CASE("several errors in one file") {
  CHECK(problems("def a = 1 +\ndef b = (1 + ) * (2 *) + (3 4 / ) - (let)\ndef c = ]\ndef d = 1") ==
        "2001@12-15 2001@52-53 2001@62-63");
  CHECK(problems("module m = { def a = ) def b = 1 } def c = +") == "2001@21-22 2001@43-44");
  // An unknown character is not a missing expression as well.
  CHECK(problems("def f = @\ndef g = 1") == "1001@8-9");
}

TEST_CASE("the REPL hears that more is needed") {
  CHECK(Parsed("def f x =").incomplete);
  CHECK(Parsed("def f x = (1 +").incomplete);
  CHECK_FALSE(Parsed("def f x = )").incomplete);
  CHECK_FALSE(Parsed("def f x = 1").incomplete);
}

TEST_CASE("nesting has a limit, lists and chains have none") {
  auto repeat = [](const std::string& text, size_t n) {
    std::string out;
    for (size_t i = 0; i < n; i++) out += text;
    return out;
  };
  auto first = [](const std::string& text) { return problems(text).substr(0, 4); };
  CHECK(problems("def f = " + repeat("(", 250) + "1" + repeat(")", 250)) == "");
  CHECK(first("def f = " + repeat("(", 300) + "1" + repeat(")", 300)) == "2002");
  CHECK(first("def f = " + repeat("(", 100000)) == "2002");
  CHECK(first("def f = " + repeat("- ", 300) + "1") == "2002");
  CHECK(first("def f = " + repeat("\\x -> ", 300) + "1") == "2002");
  CHECK(first("type t = " + repeat("[n]", 300) + "t") == "2002");
  CHECK(first("type t = " + repeat("a -> ", 300) + "t") == "2002");
  CHECK(first("def f " + repeat("(", 300) + "x") == "2002");
  CHECK(first(repeat("module m = { ", 300)) == "2002");
  CHECK(problems(repeat("module m = { ", 250) + repeat("}", 250)) == "");
  CHECK(first("open " + repeat("(", 300)) == "2002");
  CHECK(first("open f" + repeat(" x", 300)) == "2002");
  CHECK(first("open f" + repeat(" : x", 300)) == "2002");
  CHECK(first("module type t = " + repeat("(", 300)) == "2002");
  CHECK(first("module type t = " + repeat("a -> ", 300) + "b") == "2002");
  CHECK(first("module type t = a" + repeat(" with t = i32", 300)) == "2002");
  CHECK(first("def f = " + repeat("match x case _ -> ", 300) + "1") == "2002");
  CHECK(first("def f = x" + repeat(" : t", 300)) == "2002");
  CHECK(first("def f = x with a" + repeat("[0]", 300) + " = 1") == "2002");
  CHECK(first("def f = (.a" + repeat("[0].b", 300) + ")") == "2002");
  CHECK(problems("type t = " + repeat("#a (", 250) + "t" + repeat(")", 250)) == "");
  CHECK(first("type t = " + repeat("#a (", 300) + "t") == "2002");
  CHECK(first("type t = " + repeat("#a [n]", 300) + "t") == "2002");
  CHECK(first("def f = match x case " + repeat("#[a] ", 300) + "y -> 1") == "2002");
  constexpr size_t kMany = 100000;
  CHECK(problems("def f = 1" + repeat(" + 1", kMany)) == "");
  CHECK(problems("def f = f" + repeat(" <| f", kMany)) == "");
  CHECK(problems("def f = f" + repeat(" x", kMany)) == "");
  CHECK(problems("def f = f" + repeat(".0", kMany)) == "");
  CHECK(problems("def f = [" + repeat("1,", kMany) + "]") == "");
  CHECK(problems("def f = " + repeat("let x = 1 ", kMany) + "in x") == "");
}

TEST_CASE("tuples and records have at most 1024 fields") {
  auto tuple = [](size_t n) {
    std::string out = "def f = (";
    for (size_t i = 0; i < n; i++) out += "1,";
    return out + ")";
  };
  CHECK(problems(tuple(1024)) == "");
  CHECK(problems(tuple(1025)) == "2005@8-9");
}

}  // namespace
}  // namespace halo::syntax
