-- Inputs that a script makes: calls, partial application, tuples, records, fields, indices, files.
-- ==
-- entry: sum
-- script input { ({b = [1,2,3], a = 2}, 3) } output { 15 }
-- script input { (record 2, 4i32) } output { 19 }
-- script input { ((record 2), (record 3).a) } output { 18 }
-- script input { let (x, y) = both 1 in ({a = x, b = [y, 1, 1]}, 0) } output { 7 }
-- script input { (record (both 7).1, ([5, 6, 7])[1]) } output { 57 }
-- script input { (record (apart (0, 0) 2), 4i32) } output { 19 }
-- ==
-- entry: data
-- script input { $loaddata "data/three.in" } output { 6 }
-- script input { (($loaddata "data/three.in").0, ($loaddata "data/three.in.gz").1) } output { 6 }
-- script input { $restore "pair" "data/three.in" } output { 6 }
-- input @ data/three.in
-- output { 6 }
-- input @data/three.in.gz output { 6 }
-- random input { 4i32 [2]i32 } auto output
-- random input { 4i32 [ 2 ]i32 }
-- "literals" random input { 4i32 [1i32, 2i32] } output { 7 }
-- ==
-- entry: sound
-- script input { $loadaudio "data/tone.wav" }
-- output { [[0.5, 0.0, -0.5], [-1.0, 0.25, 0.0]] }
entry record (x: i32) : {a: i32, b: [3]i32} = {a = x, b = [x, x + 1, x + 2]}
entry both (x: i32) : (i32, i32) = (x, x + 1)
entry sum (r: {a: i32, b: []i32}) (c: i32) : i32 = 3 * r.a + c + i32.sum r.b
entry apart (p: (i32, i32)) (c: i32) : i32 = 100 * p.0 + 10 * p.1 + c
entry data (x: i32) (xs: []i32) : i32 = x + i32.sum xs
entry sound (channels: [2][]f64) : [2][]f64 = channels
