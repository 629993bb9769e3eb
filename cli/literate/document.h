// A program as a document: comments are text, directives in them are evaluated, the rest is code.
//
//   -- # Heat                          text, Markdown as it is
//   def step = ..                      code
//   -- > f32.sum (step xs)             its value
//   -- > :img step xs                  as a picture; `:video` many, `:plot2d` lines
//   -- > :brief :img step xs; ..       without its options; `:covert` without the directive itself
//   -- > :img step xs; file: a.png     with a name of its own; longer ones go on in lines that are
//   --   indented by three blanks
//
// Doc comments (`-- |`) belong to the code; test blocks (`-- ==`) and lines for `halo run` and
// `halo test` are left out.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace halo::literate {

struct Block {
  enum Kind { kText, kCode, kDirective } kind;
  std::string text;  // of a directive as it is written, without `-- > `

  // Of a directive.
  std::string command = {};  // empty: show the value
  std::string expression = {};
  bool is_covert = false;  // `:covert ..`: only its result
  std::map<std::string, std::string> options = {};
};

std::vector<Block> parseDocument(std::string_view program);

}  // namespace halo::literate
