-- Functions that depend on a float through steps only; others do not warn.
-- ==
-- warning: does not vary smoothly with the argument.*H5003.\s+-->.*:7:23
-- warning: does not vary smoothly with the argument.*H5003.\s+-->.*:9:24
-- warning: does not vary smoothly with the argument.*H5003.\s+-->.*:11:29
-- warning: does not vary smoothly with the argument.*H5003.\s+-->.*:19:28
entry arms (x: f64) = vjp (\in_arm -> if in_arm > 1 then 2 else 3) x 1f64

entry steps (x: f64) = jvp (\counted -> loop (y, n) = (1, 0i32) while y < counted do (y * 2, n + 1)) x 1

entry floors (xs: [3]f64) = vjp (\rounded -> f64.sum (map f64.floor rounded)) xs 1

entry smooth (x: f64) = vjp (\y -> if y > 1 then y * y else f64.floor y) x 1

entry constant (x: f64) = vjp (\_ -> 3f64) x 1

entry whole (n: i64) = vjp (\k -> k / 2) n 1

entry quotients (x: f64) = vjp (\y -> f64.i64 (i64.f64 y / 3)) x 1

entry converted (x: f64) = vjp (\y -> f64.i64 (2 * i64.f64 y)) x 1
