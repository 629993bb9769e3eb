// Changes are made on tokens, without knowledge of types. What has to be an identity or an
// associative operator stays, or engines could differ by right: operators in parentheses, and the
// operator and the neutral element of `reduce`, `scan` and histograms.
#include "cli/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <set>
#include <vector>

#include "cli/session/values/random_values.h"
#include "lang/syntax/lex/lexer.h"

namespace halo::fuzz {

namespace {

using Words = std::vector<std::string>;

const std::vector<Words> kOperators = {{"+", "-", "*"}, {"&", "|", "^"},
                                       {"<<", ">>"},    {"<", "<=", ">", ">=", "==", "!="},
                                       {"&&", "||"},    {"/", "//", "%", "%%"}};
const Words kNumbers = {"0", "1", "2", "3", "7", "16", "31", "32", "33", "64", "255", "257"};

// Around an expression, the `$`.
const Words kForms = {
    "(if #[opaque] true then $ else $)",
    "(loop q' = $ for _i' < 1 do q')",
    "(let r' = {f = $} in r'.f)",
    "(let (a', _) = ($, 3i32) in a')",
    "(let f' x' = x' in f' $)",
    "(map (\\_ -> $) (iota 3))[1]",
    "(map (\\k' -> if k' == 1 then $ else $) (iota 3))[2]",
    "(head [$])",
    "(copy $)",
    "(reverse $)",
    "(rotate 1 $)",
    "(transpose $)",
    "(map (\\v' -> v') $)",
    "(flatten [$])",
    "(unzip (zip $ $)).0",
    "(last (scan (\\_ y' -> y') $ [$, $]))",
    "(if length $ > 3 then $ else reverse $)",
    "(let v' = $ in tabulate (length v') (\\i' -> v'[i']))",
    "(let v' = copy $ in if length v' > 2 then v' with [1] = v'[0] else v')",
    "(loop v' = copy $ for i' < length v' do v' with [i'] = v'[length v' - 1 - i'])",
    "(loop v' = $ for i' < 2 do if i' == 1 then v' else reverse v')",
    "(let v' = $ in scatter (copy v') [0, 1] [v'[0], v'[0]])",
};

// Around the call of an entry, the `$`: as a cell, in branches and loops, in records and sums. `#`
// is a number of cells.
const Words kCalls = {
    "map (\\k' -> $) (iota #)",
    "map (\\k' -> if k' % 2 == 0 then $ else $) (iota #)",
    "map (\\j' -> map (\\k' -> $) (iota (3 + j' - j'))) (iota #)",
    "map (\\k' -> ($, k')) (iota #)",
    "map (\\k' -> {a = $, b = k'}.a) (iota #)",
    "map (\\k' -> length $) (iota #)",
    "map (\\k' -> ($)[0]) (iota #)",
    "flatten (map (\\k' -> [$]) (iota #))",
    "let k' = 1i64 in if #[opaque] true then $ else $",
    "let step k' = $ in (step 0, step 1)",
    "let k' = 0i64 in loop v' = $ for i' < 3 do if i' == 2 then v' else let k' = i' in $",
    "let v' = map (\\k' -> $) (iota #) in (v', map (.[0]) v')",
    "(loop (v', k') = ([], 0) while k' < 3 do (v' ++ [$], k' + 1)).0",
};

std::string filled(const std::string& form, char hole, const std::string& with) {
  std::string out;
  for (size_t i = 0; i < form.size(); ++i) {
    const bool is_attribute = form.compare(i, 2, "#[") == 0;
    out += form[i] == hole && !is_attribute ? with : std::string(1, form[i]);
  }
  return out;
}

class Mutation {
 public:
  Mutation(std::string text, session::RandomBits& random)
      : text_(std::move(text)), random_(random) {
    const source::FileId file = files_.add("mutated.fut", text_);
    diag::Sink sink;
    tokens_ = syntax::lex(files_, file, sink).tokens;
  }

  std::string apply() {
    switch (below(7)) {
      case 0:
        return changedOperator();
      case 1:
        return changedNumber();
      case 2:
      case 3:
        return wrappedName();
      case 4:
      case 5:
        return wrappedGroup();
      default:
        return calledEntry();
    }
  }

 private:
  size_t below(size_t count) { return random_.bits() % count; }
  const std::string& one(const Words& words) { return words[below(words.size())]; }

  bool is(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].text == text;
  }

  // One of the candidates, if there are any.
  template <typename Test>
  std::optional<size_t> pick(Test test) {
    std::vector<size_t> found;
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (test(i)) found.push_back(i);
    }
    if (found.empty()) return std::nullopt;
    return found[below(found.size())];
  }

  std::string replaced(size_t first, size_t last, const std::string& by) const {
    return text_.substr(0, tokens_[first].span.begin) + by + text_.substr(tokens_[last].span.end);
  }
  std::string textOf(size_t first, size_t last) const {
    const size_t begin = tokens_[first].span.begin;
    return text_.substr(begin, tokens_[last].span.end - begin);
  }

  static const Words* classOf(std::string_view text) {
    for (const Words& words : kOperators) {
      if (std::find(words.begin(), words.end(), text) != words.end()) return &words;
    }
    return nullptr;
  }

  std::string changedOperator() {
    const std::set<size_t> fixed = tokensOfReductions();
    const auto at = pick([&](size_t i) {
      return classOf(tokens_[i].text) != nullptr && !fixed.contains(i) &&
             !(i > 0 && is(i - 1, "(") && is(i + 1, ")"));
    });
    return at ? replaced(*at, *at, one(*classOf(tokens_[*at].text))) : text_;
  }

  bool isReduction(size_t i) const {
    static const std::regex words("reduce|scan|hist|segmented");
    const std::string_view name = tokens_[i].text;
    return tokens_[i].kind == syntax::TokenKind::kIdentifier &&
           std::regex_search(name.begin(), name.end(), words);
  }

  // Those of the arguments up to the neutral element. `reduce_by_index` has a table before.
  std::set<size_t> tokensOfReductions() const {
    std::set<size_t> fixed;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (!isReduction(i)) continue;
      const int arguments = tokens_[i].text.ends_with("index") ? 3 : 2;
      size_t at = i + 1;
      for (int k = 0; k < arguments && at < tokens_.size(); ++k) {
        const bool is_group = is(at, "(") || is(at, "[") || is(at, "{");
        const size_t end = is_group ? closing(at).value_or(at) : at;
        for (; at <= end; ++at) fixed.insert(at);
      }
    }
    return fixed;
  }

  std::string changedNumber() {
    static const std::regex whole("([0-9]+)([iu][0-9]+)?");
    const std::set<size_t> fixed = tokensOfReductions();
    const auto at = pick([&](size_t i) {
      const std::string_view text = tokens_[i].text;
      return tokens_[i].kind == syntax::TokenKind::kNumber && !fixed.contains(i) &&
             std::regex_match(text.begin(), text.end(), whole);
    });
    if (!at) return text_;
    const std::string_view text = tokens_[*at].text;
    const size_t suffix = std::min(text.find_first_of("iu"), text.size());
    return replaced(*at, *at, one(kNumbers) + std::string(text.substr(suffix)));
  }

  std::string wrapped(size_t first, size_t last) {
    constexpr size_t kLongest = 300;  // texts double with each change
    const std::string inside = textOf(first, last);
    return inside.size() > kLongest ? text_
                                    : replaced(first, last, filled(one(kForms), '$', inside));
  }

  // A name that is used: no binder, type, field or label.
  std::string wrappedName() {
    static const std::set<std::string_view> before = {"def", "entry", "let",  "module", "type",
                                                      "val", "open",  "loop", "for",    "#",
                                                      ":",   ".",     "\\",   "->",     "{"};
    static const std::set<std::string_view> after = {":", "=", "->", ".", "[", "<", "in"};
    const auto at = pick([&](size_t i) {
      return tokens_[i].kind == syntax::TokenKind::kIdentifier && i > 0 && !isReduction(i) &&
             !before.contains(tokens_[i - 1].text) && !after.contains(tokens_[i + 1].text);
    });
    return at ? wrapped(*at, *at) : text_;
  }

  std::optional<size_t> closing(size_t open) const {
    static constexpr std::string_view kOpen = "([{", kClose = ")]}";
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text.size() != 1) continue;
      if (kOpen.find(text) != std::string_view::npos) ++depth;
      if (kClose.find(text) != std::string_view::npos && --depth == 0) return i;
    }
    return std::nullopt;
  }

  std::string wrappedGroup() {
    const auto at = pick([&](size_t i) {
      const auto end = is(i, "(") ? closing(i) : std::nullopt;
      return end && *end > i + 2 && tokens_[i + 1].kind != syntax::TokenKind::kOperator &&
             !is(i + 2, ":");
    });
    return at ? wrapped(*at, *closing(*at)) : text_;
  }

  // `entry f [n] (x: t) ..`: its head, and an argument for each parameter.
  struct Entry {
    size_t end;              // behind the parameters
    std::string parameters;  // none consumed
    std::string arguments;
  };

  std::optional<Entry> entryAt(size_t keyword) {
    Entry entry{keyword + 2, "", ""};
    while (is(entry.end, "[") || is(entry.end, "(")) {
      const auto close = closing(entry.end);
      if (!close) return std::nullopt;
      const bool is_value = is(entry.end, "(");
      if (is_value && !is(entry.end + 2, ":")) return std::nullopt;
      std::string parameter = textOf(entry.end, *close);
      if (is_value && is(entry.end + 3, "*")) parameter.erase(parameter.find('*'), 1);
      entry.parameters += " " + parameter;
      if (is_value) entry.arguments += " " + argument(entry.end + 1, *close);
      entry.end = *close + 1;
    }
    if (entry.arguments.empty() || !(is(entry.end, ":") || is(entry.end, "="))) return std::nullopt;
    return entry;
  }

  // In some cells another one, where the type is one of numbers.
  std::string argument(size_t name, size_t close) {
    const std::string text(tokens_[name].text);
    if (is(name + 2, "*")) return "(copy " + text + ")";
    static const std::set<std::string_view> types = {"i8",  "i16", "i32", "i64", "u8",
                                                     "u16", "u32", "f32", "f64"};
    const bool is_number = close == name + 3 && types.contains(tokens_[name + 2].text);
    if (!is_number || below(2) == 0) return text;
    return "(" + text + " + " + std::string(tokens_[name + 2].text) + ".i64 k')";
  }

  std::string calledEntry() {
    std::optional<Entry> entry;
    const auto at = pick([&](size_t i) {
      const bool is_entry = is(i, "entry") || (is(i, "def") && is(i + 1, "main"));
      return is_entry && entryAt(i).has_value();
    });
    if (at) entry = entryAt(*at);
    if (!entry) return text_;
    const std::string name(tokens_[*at + 1].text);
    const std::string call = "(" + name + "_inner" + entry->arguments + ")";
    const std::string cells = one({"1", "2", "3", "17", "33"});
    return replaced(*at, *at + 1, "def " + name + "_inner") + "\nentry " + name +
           entry->parameters + " = " + filled(filled(one(kCalls), '#', cells), '$', call) + "\n";
  }

  const std::string text_;
  session::RandomBits& random_;
  source::Files files_;
  std::vector<syntax::Token> tokens_;
};

}  // namespace

std::string mutate(const std::string& text, uint64_t seed) {
  session::RandomBits random(seed);
  random.bits();
  std::string changed = text;
  const uint64_t changes = 1 + random.bits() % 2;
  for (uint64_t i = 0; i < changes; ++i) {
    const std::string before = changed;
    for (int tries = 0; tries < 4 && changed == before; ++tries) {
      changed = Mutation(before, random).apply();
    }
  }
  return changed;
}

}  // namespace halo::fuzz
