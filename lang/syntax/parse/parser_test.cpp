// Structure of expressions and patterns; precedence.
#include "lang/syntax/parse/parser.h"

#include <doctest/doctest.h>

#include "lang/syntax/test_support.h"

namespace halo::syntax {
namespace {

using test::expressionOutline;

// Both texts are the same program, up to the parentheses of the second.
void checkGroups(const std::string& text, const std::string& grouped) {
  auto withoutParens = [](std::string outline) {
    // (Paren x) -> x: drop the head, then its closing bracket.
    for (size_t at; (at = outline.find("(Paren ")) != std::string::npos;) {
      size_t end = at;
      int open = 0;
      do {
        if (outline[end] == '(' && outline[end + 1] != ')') ++open;
        if (outline[end] == ')') open--;
        ++end;
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
  CHECK(expressionOutline("256i8") == "(Number 256i8)");
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
        "(Ascribe (Range..> (Variable n) _ (Number 0)) (Type t []))");
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
        "(Type t [])))) (Variable b) (Variable n))");
  CHECK(expressionOutline("let f 'a [n] (x: [n]a): a = x in f") ==
        "(LetFunction(Function f [ 'a []n] [ (Typed (Name x) (ArrayType (Variable n) "
        "(Type a [])))] (Type a []) (Variable x)) (Variable f))");
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
        "(LoopImplicit [] (Typed (Name x) (Type t [])) (Variable x) (ForIn (TuplePattern "
        "[ (Name a) (Name b)]) (Variable xs)) (Variable x))");
  CHECK(expressionOutline("loop _ for i < n do 1") == "2001@5-6");
}

TEST_CASE("lambdas, attributes, assert") {
  CHECK(expressionOutline("\\x (y: i32): t -> x") ==
        "(Lambda [ (Name x) (Typed (Name y) (Type i32 []))] (Type t []) (Variable x))");
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
        "(Typed (Name b) (Type t []))]) (Variable b))(Case (LiteralPattern (Unary - "
        "(Number 1))) (Binary + (Number 2) (Variable c)))])");
  CHECK(expressionOutline("1 + match a case {b, c = #d} -> match e case #f -> g case _ -> h : t") ==
        "(Binary + (Number 1) (Match (Variable a) [(Case (RecordPattern [ b= (Name b) c= "
        "(ConstructorPattern d [])]) (Match (Variable e) [(Case (ConstructorPattern f []) "
        "(Variable g))(Case (Wildcard) (Ascribe (Variable h) (Type t [])))]))]))");
  CHECK(expressionOutline("match a case #[b] (c, 'x', true) -> d") ==
        "(Match (Variable a) [(Case (AttributedPattern b (TuplePattern [ (Name c) "
        "(LiteralPattern (Number 120)) (LiteralPattern (Bool true))])) (Variable d))])");
  CHECK(expressionOutline("match a case -128i8 -> b") ==
        "(Match (Variable a) [(Case (LiteralPattern (Unary - (Number 128i8))) (Variable b))])");
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
        "(Type t [])))) (Lambda [ (Name y)] _ (Variable y)) _)])");
}

}  // namespace
}  // namespace halo::syntax
