-- Text and machines: run lengths, words, brackets, a stack machine, cellular automata, suffixes.
-- ==
-- entry: words
-- input { "  two words here " } output { 3i64 [2i64, 6i64, 12i64] }
-- ==
-- entry: run_lengths
-- input { [1, 1, 2, 3, 3, 3] } output { [1, 2, 3] [2i64, 1i64, 3i64] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) }
-- ==
-- entry: balanced
-- input { "(()())" } output { true }
-- input { "())(" } output { false }
-- ==
-- entry: machine
-- input { 10 } output { 55 }
-- ==
-- entry: life
-- input { 2 [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]] }
-- output { [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]] }
-- ==
-- entry: suffixes
-- input { "banana" } output { [5i64, 3i64, 1i64, 0i64, 4i64, 2i64] }
-- ==
-- entry: numbers
-- input { "12 7 305" } output { [12, 7, 305] }
-- ==
-- entry: segmented
-- input { [1, 2, 3, 4, 5] [true, false, true, false, false] } output { [1, 3, 3, 7, 12] [3, 12] }

def is_space (c: u8) : bool = c == ' '

entry words [n] (text: [n]u8) : (i64, []i64) =
  let starts = map (\i -> !(is_space text[i]) && (i == 0 || is_space text[i - 1])) (iota n)
  let places = filter (\i -> starts[i]) (iota n)
  in (length places, places)

def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : *[n]t =
  (unzip (scan (\(x_flag, x) (y_flag, y) -> (x_flag || y_flag, if y_flag then y else x `op` y))
               (false, ne)
               (zip flags xs))).1

def segmented_reduce [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : []t =
  let sums = segmented_scan op ne flags xs
  let ends = map (\i -> i == n - 1 || flags[i + 1]) (iota n)
  in map (.1) (filter (.0) (zip ends sums))

entry segmented [n] (xs: [n]i32) (flags: [n]bool) =
  (segmented_scan (+) 0 flags xs, segmented_reduce (+) 0 flags xs)

entry run_lengths [n] (xs: [n]i32) : ([]i32, []i64) =
  let flags = map (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n)
  let lengths = segmented_reduce (+) 0i64 flags (replicate n 1)
  let heads = map (.1) (filter (.0) (zip flags xs))
  in (heads, lengths)

entry balanced (text: []u8) : bool =
  let steps = map (\c -> if c == '(' then 1 else if c == ')' then -1 else 0i32) text
  let depths = scan (+) 0 steps
  in all (>= 0) depths && (null depths || last depths == 0)

type instruction = #push i32 | #add | #swap | #dup | #jump_if i64 | #dec | #over
def program : []instruction = [#push 0, #swap, #over, #add, #swap, #dec, #dup, #jump_if 1]

-- Adds n + (n - 1) + .. + 1 on a stack of eight.
entry machine (n: i32) : i32 =
  let stack = replicate 8 0 with [0] = n
  let (stack, _, _) =
    loop (stack, top, pc) = (stack, 1i64, 0i64)
    while pc < length program do
      match program[pc]
      case #push x ->
        if top == 1
        then (let m = stack[0] in stack with [0] = x with [1] = m, 2, pc + 1)
        else (stack with [top] = x, top + 1, pc + 1)
      case #add ->
        let sum = stack[top - 1] + stack[top - 2]
        in (stack with [top - 2] = sum, top - 1, pc + 1)
      case #swap ->
        let (a, b) = (stack[top - 1], stack[top - 2])
        in (stack with [top - 1] = b with [top - 2] = a, top, pc + 1)
      case #dup -> let a = stack[top - 1] in (stack with [top] = a, top + 1, pc + 1)
      case #over -> let a = stack[top - 2] in (stack with [top] = a, top + 1, pc + 1)
      case #dec -> let a = stack[top - 1] - 1 in (stack with [top - 1] = a, top, pc + 1)
      case #jump_if target ->
        let a = stack[top - 1]
        in (stack, top - 1, if a != 0 then target else pc + 1)
  in stack[0]

entry life [n] [m] (steps: i32) (board: [n][m]i32) : [n][m]i32 =
  loop board for _k < steps do
    let rows = map3 (map3 (\a b c -> a + b + c)) (rotate (-1) board) board (rotate 1 board)
    let sums = map (\row -> map3 (\a b c -> a + b + c) (rotate (-1) row) row (rotate 1 row)) rows
    in map2 (map2 (\sum cell -> i32.bool (sum == 3 || (sum == 4 && cell == 1)))) sums board

-- By counting the smaller ones; a suffix that ends is smaller.
entry suffixes [n] (text: [n]u8) : [n]i64 =
  let less (i: i64) (j: i64): bool =
    let (k, _) =
      loop (k, go) = (0, true)
      while go do
        if i + k < n && j + k < n && text[i + k] == text[j + k] then (k + 1, true) else (k, false)
    in if j + k == n then false else if i + k == n then true else text[i + k] < text[j + k]
  let ranks = map (\i -> i64.sum (map (\j -> i64.bool (i != j && less j i)) (iota n))) (iota n)
  in scatter (replicate n 0) ranks (iota n)

def value (c: u8) : i32 = i32.u8 (c - '0')

entry numbers [n] (text: [n]u8) : []i32 =
  let digit = map (\c -> c >= '0' && c <= '9') text
  let combine (a: (i32, i32, bool)) (b: (i32, i32, bool)) =
    if b.2 then b else (a.0 * b.1 + b.0, a.1 * b.1, a.2)
  let parts =
    map3 (\c d i -> if d then (value c, 10, i == 0 || !digit[i - 1]) else (0, 1, true))
         text
         digit
         (iota n)
  let scanned = scan combine (0, 1, false) parts
  let ends = filter (\i -> digit[i] && (i == n - 1 || !digit[i + 1])) (iota n)
  in map (\i -> scanned[i].0) ends
