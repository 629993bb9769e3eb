-- Option and either types, nested and in arrays.
-- tolerance: exact
-- ==
-- input { [1i32, -3i32, 0i32] }
-- output { 1i64 -3i32 2i32 [9i32, 9i32, 9i32] [1i32] [1i32, -300i32, 3i32] }
type maybe 'a = #just a | #nothing
type either 'a 'b = #left a | #right b
def fmap 'a 'b (f: a -> b) (m: maybe a) : maybe b = match m case #just x -> #just (f x) case #nothing -> #nothing
def default 'a (d: a) (m: maybe a) : a = match m case #just x -> x case #nothing -> d

def find [n] (p: i32 -> bool) (xs: [n]i32) : maybe (i64, i32) =
  loop r = (#nothing : maybe (i64, i32))
  for i < n do
    match r case #just _ -> r case #nothing -> if p xs[i] then #just (i, xs[i]) else #nothing

def sequence [n] 'a (xs: [n](maybe a)) (d: a) : maybe ([n]a) =
  if all (\m -> match m case #just _ -> true case _ -> false) xs then #just (map (default d) xs) else #nothing

def nested (x: i32) : either (maybe i32) (maybe (maybe i32)) =
  if x > 0 then #left (#just x) else if x == 0 then #right #nothing else #right (#just (if x < -2 then #just x else #nothing))

entry main [n] (xs: [n]i32) =
  let ms = map (\x -> if x > 0 then #just x else #nothing) xs
  let c = map nested xs
  in ( default (0, 0) (find (< 0) xs)
     , default 7 (fmap (* 2) ms[0])
     , default (replicate n 9) (sequence ms 1)
     , default (replicate 1 9) (sequence (ms[:1] :> [1](maybe i32)) 1)
     , map (\e -> match e case #left (#just x) -> x case #left #nothing -> 1 case #right (#just (#just y)) -> y * 100 case #right (#just #nothing) -> 2 case #right #nothing -> 3) c
     )
