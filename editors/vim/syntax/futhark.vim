" Halo and Futhark: the words and literals of lang/syntax/lex/lexer.cpp.
if exists("b:current_syntax")
  finish
endif
syntax keyword futharkKeyword assert case def do else entry for if import in include let local loop
syntax keyword futharkKeyword match module open then type val while with
syntax keyword futharkBoolean true false
syntax keyword futharkType i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
syntax match futharkNumber "\<\d[0-9_]*\(\.\d[0-9_]*\)\?\([eE][+-]\?\d\+\)\?\([iu]\(8\|16\|32\|64\)\|f\(16\|32\|64\)\)\?\>"
syntax match futharkNumber "\<0[xX][0-9a-fA-F_]\+\([iu]\(8\|16\|32\|64\)\)\?\>"
syntax match futharkConstructor "#[a-z_][A-Za-z0-9_']*"
syntax match futharkAttribute "#\[[^\]]*\]"
syntax region futharkString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match futharkComment "--.*$"
highlight default link futharkKeyword Keyword
highlight default link futharkBoolean Boolean
highlight default link futharkType Type
highlight default link futharkNumber Number
highlight default link futharkConstructor Constant
highlight default link futharkAttribute PreProc
highlight default link futharkString String
highlight default link futharkComment Comment
let b:current_syntax = "futhark"
