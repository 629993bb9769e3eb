// Long because the rules of one grammar call each other: they are one class.
// Internal to the parser: its state, shared by parser.cpp (cursor, errors), parse_decl.cpp,
// parse_module.cpp, parse_expr.cpp (let, if, match, loop, lambda), parse_operator.cpp,
// parse_atom.cpp, parse_path.cpp (updates and sections along a path), parse_type.cpp and
// parse_pattern.cpp.
//
// Errors. The first error of a construct is reported and starts a panic. From then on the parser
// sees only the end of the text, so every function returns quickly and nothing else is reported.
// The panic ends where reading can go on safely: behind the closing bracket of an enclosing
// construct, or at the next declaration. Every function returns a valid id in any case.
#pragma once

#include <string_view>
#include <utility>

#include "lang/syntax/lex/lexer.h"
#include "lang/syntax/parse/parser.h"

namespace halo::syntax {

inline constexpr size_t kMaxNesting = 256;
inline constexpr size_t kMaxFields = 1024;

// A construct whose last part, an expression, is still to come: `let p = e in ..`, `if c then a
// else ..`. Kept on a stack of our own, so that a chain of 100,000 lets is no recursion.
struct TailForm {
  ExprNode node;
  uint32_t begin;
};

struct PendingOperator {
  enum class Kind { kBinary, kUpdate, kRangeStep, kRange } kind;
  int precedence;
  QualifiedName op;                 // kBinary
  std::vector<PathStep> path;       // kUpdate
  RangeEnd end = RangeEnd::kBelow;  // kRange
  bool has_step = false;            // kRange with two operands in front
};

class Parser {
 public:
  Parser(const source::Files& files, Span part, const ParseOptions& options, Tree& tree,
         diag::Sink& sink, bool* incomplete);
  File wholeFile();
  ExprId wholeExpression();

 private:
  // Counts one level of nesting while it lives. `ok()` is false when it is one too many.
  class Depth {
   public:
    explicit Depth(Parser& parser, size_t levels = 1) : parser_(parser), levels_(levels) {
      parser_.depth_ += levels_;
      if (parser_.depth_ > kMaxNesting) parser_.tooDeep();
    }
    ~Depth() { parser_.depth_ -= levels_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    void more() {
      ++levels_;
      if (++parser_.depth_ > kMaxNesting) parser_.tooDeep();
    }
    bool ok() const { return !parser_.panic_; }

   private:
    Parser& parser_;
    size_t levels_;
  };

  // parser.cpp: cursor
  const Token& peek(size_t ahead = 0) const {
    if (panic_ || position_ + ahead >= tokens_.size()) return tokens_.back();
    return tokens_[position_ + ahead];
  }
  // Here and not in parser.cpp: callers know the text, which makes it a comparison of few bytes.
  bool isToken(TokenKind kind, std::string_view text, size_t ahead) const {
    const Token& token = peek(ahead);
    return token.kind == kind && token.text == text;
  }
  bool isPunctuation(std::string_view text, size_t ahead = 0) const {
    return isToken(TokenKind::kPunctuation, text, ahead);
  }
  bool isKeyword(std::string_view text, size_t ahead = 0) const {
    return isToken(TokenKind::kKeyword, text, ahead);
  }
  bool isOperator(std::string_view text, size_t ahead = 0) const {
    return isToken(TokenKind::kOperator, text, ahead);
  }
  bool isKind(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  // The token is `text` and follows the one before without space.
  bool isAdjacent(std::string_view text, size_t ahead = 0) const;
  const Token& next();
  bool accept(std::string_view punctuation);
  bool acceptKeyword(std::string_view keyword);
  bool expect(std::string_view punctuation, std::string_view where, std::string help = {});
  bool expectKeyword(std::string_view keyword, std::string_view where);
  Identifier identifier(std::string_view what);
  static Identifier nameOf(const Token& token) { return {std::string(token.text), token.span}; }
  uint32_t begin() const { return peek().span.begin; }
  Span spanFrom(uint32_t begin) const;
  Span spanOf(ExprId id) const { return tree_.exprs[id].span; }

  // parser.cpp: errors and recovery
  // `opener`: the bracket that was left open, the other half of the sentence.
  void fail(diag::Code code, Span span, std::string message, Span opener = {},
            std::string help = {});
  void unexpected(std::string_view expected, Span opener = {}, std::string help = {});
  void tooDeep();
  void checkFieldCount(size_t count, Span span);
  void checkLoneElement();
  bool lexicalErrorNear(const Token& token) const;
  bool startsDeclaration(size_t index) const;
  bool startsLine(size_t index) const;
  // Reads the closing bracket; in a panic skips to it first, and the panic is over if it is there.
  // False: there was a panic.
  std::string helpAtArrow() const;
  bool close(std::string_view closer, std::string_view what, Span opener);
  // `skips_bodies`: braces with all in them, those of the module that a panic began in.
  void skipToDeclaration(bool in_module, bool skips_bodies);
  // Behind a panic in a list of declarations that began at token `start`.
  void recover(size_t start, bool in_module);

  // Elements until `closer`, which is read; a trailing comma is accepted.
  template <typename Element>
  bool commaSeparated(std::string_view closer, std::string_view what, Span opener,
                      Element element) {
    while (!panic_ && !isPunctuation(closer)) {
      element();
      if (!accept(",")) break;
    }
    return close(closer, what, opener);
  }

  ExprId add(ExprNode node, Span span);
  uint32_t levelsOf(const ExprNode& node) const;
  PatternId addPattern(PatternNode node, Span span);
  TypeExprId addType(TypeNode node, Span span);
  ExprId errorExpr();
  TypeExprId errorType();
  PatternId errorPattern();

  // duplicates.cpp: names given twice where each must be new
  void checkDistinct(const std::vector<Identifier>& names, std::string_view what);
  void checkPatterns(const std::vector<PatternId>& patterns, std::vector<Identifier> sizes = {});
  void checkParameters(const FunctionParts& function);
  void checkDefinitions(const std::vector<DeclId>& decls);
  void checkSpecs(const std::vector<SpecId>& specs);
  template <typename Value>
  void checkFields(const std::vector<std::pair<Identifier, Value>>& fields) {
    std::vector<Identifier> names;
    for (const auto& [name, value] : fields) names.push_back(name);
    checkDistinct(names, "field");
  }

  // parse_decl.cpp
  std::vector<DeclId> declarations(bool in_module);
  std::optional<DeclId> declaration();
  DeclNode declarationBody();
  std::string helpWithoutKeyword() const;
  std::string helpForNames(size_t first) const;
  void takeDoc(std::string& doc);
  void leaveDocs(size_t end);
  void misplacedDoc(Span span);
  FunctionDecl functionDecl();
  bool startsInfixDefinition() const;
  void infixHead(FunctionParts& function);
  void functionTail(FunctionParts& function);
  bool startsOperatorName() const;
  Identifier definedName(std::string_view what);
  void checkDefinable(const Identifier& name);
  ValDecl valDecl();
  TypeDecl typeDecl();
  TypeSpec typeHead();
  ImportDecl importDecl();
  Attribute attribute();
  std::vector<TypeParameter> typeParameters();
  std::vector<Identifier> sizeBinders();
  QualifiedName qualifiedName(std::string_view what);

  // parse_module.cpp
  DeclNode moduleDecl();
  ModuleExprId moduleExpr();
  ModuleExprId moduleLambda();
  ModuleExprId moduleApplication();
  ModuleExprId moduleAtom();
  bool startsModuleAtom() const;
  ModuleParameter moduleParameter();
  ModuleTypeId moduleType();
  ModuleTypeId moduleTypeWith();
  ModuleTypeId moduleTypeAtom();
  std::vector<SpecId> specs();
  std::optional<SpecId> spec();
  SpecNode specBody();
  SpecNode nestedModuleType();
  ModuleExprId addModule(ModuleNode node, Span span);
  ModuleTypeId addModuleType(ModuleTypeNode node, Span span);

  // parse_expr.cpp
  ExprId expression(bool section = false);
  // Without `: t`. `section`: a left section `(x +)` may come out.
  ExprId unascribed(bool section = false);
  // One position of an index list, where `:` makes a slice and never gives a type.
  ExprId indexOperand();
  ExprId ascribed(ExprId value, uint32_t begin);
  bool startsTailForm() const;
  TailForm tailForm();
  ExprId finish(TailForm form, ExprId last);
  ExprNode letForm();
  ExprNode letFunctionForm();
  ExprNode letUpdateForm();
  void endOfLetValue();
  ExprId matchForm();
  ExprNode ifForm();
  ExprNode loopForm();
  ExprNode lambdaForm();
  std::variant<LoopFor, LoopForIn, LoopWhile> loopHead();
  LoopFor unnamedCount();
  ExprId patternAsExpression(PatternId pattern);

  // parse_operator.cpp
  struct Operands {
    std::vector<ExprId> values;
    std::vector<PendingOperator> operators;
  };
  ExprId operators(bool section);
  bool pushOperator(Operands& stack, bool section);
  bool pushRange(Operands& stack);
  void reduce(Operands& stack, int above);
  void reduceOne(Operands& stack);
  std::optional<QualifiedName> peekOperator(size_t* length) const;
  size_t qualifiedOperatorLength() const;
  void skip(size_t tokens);
  bool startsOperator() const;
  ExprId operand();
  ExprId application();
  ExprId constructor(bool with_arguments);
  bool startsConstructor() const;
  Identifier constructorName();
  bool startsAtom() const;

  // parse_atom.cpp
  ExprId atom();
  ExprId primary();
  ExprId name();
  ExprId number();
  ExprId postfix(ExprId base, uint32_t begin);
  ExprId localOpen(ExprId base, uint32_t begin);
  ExprId parenthesised();
  std::optional<ExprId> operatorInParentheses(uint32_t begin);
  ExprId arrayLiteral();
  ExprId recordLiteral();
  std::vector<IndexPart> indexList();
  IndexPart indexPart();
  Identifier fieldName();
  void requireName(const Identifier& field);

  // parse_path.cpp
  ExprId accessSection(uint32_t begin);
  PendingOperator withOperator();
  std::vector<PathStep> path();
  void addFields(std::vector<PathStep>& path);
  bool startsField() const;
  ExprNode updateNode(ExprId target, std::vector<PathStep> path, ExprId value);

  // parse_type.cpp
  TypeExprId type();
  TypeExprId existentialType();
  TypeExprId sumType();
  bool startsTypeArgument() const;
  TypeExprId typeTerm();
  TypeExprId typeApplication();
  TypeExprId typeAtom();
  TypeExprId arrayType();
  TypeExprId parenthesisedType();
  TypeExprId recordType();
  ExprId sizeInBrackets();

  // parse_pattern.cpp
  PatternId pattern();
  PatternId patternAtom();
  PatternId constructorPattern();
  PatternId literalPattern();
  PatternId parenthesisedPattern();
  PatternId recordPattern();
  bool startsPattern() const;
  bool startsLiteralPattern() const;

  const source::Files& files_;
  source::FileId file_;
  const ParseOptions& options_;
  Tree& tree_;
  diag::Sink& sink_;
  bool* incomplete_;

  std::vector<Token> tokens_;                             // without doc comments
  std::vector<std::unique_ptr<const std::string>> made_;  // texts of tokens
  std::vector<Number> numbers_;
  std::vector<Comment> comments_;
  std::vector<std::pair<size_t, Token>> docs_;  // by the token that follows
  size_t next_doc_ = 0;
  size_t first_diagnostic_;  // of this file in the sink; the lexer's come first
  size_t lexical_diagnostics_ = 0;
  size_t position_ = 0;
  uint32_t last_end_ = 0;  // where the last token read ended
  size_t depth_ = 0;
  size_t first_expr_;             // of this text in the tree
  std::vector<uint32_t> levels_;  // of each expression from there on
  bool reported_levels_ = false;
  bool left_section_ = false;  // operators() has just built one
  bool in_index_ = false;      // a `:` here belongs to a slice
  bool panic_ = false;
  bool in_specs_ = false;  // in a module type
};

}  // namespace halo::syntax
