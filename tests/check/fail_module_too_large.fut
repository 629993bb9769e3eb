-- Written out, this program has 2^25 modules.
-- ==
-- error: are too large.*H2002
module f0 (X: {val x : i32}) = {def y = X.x}
module f1 (X: {val x : i32}) = {module a = f0 X module b = f0 X def y = a.y}
module f2 (X: {val x : i32}) = {module a = f1 X module b = f1 X def y = a.y}
module f3 (X: {val x : i32}) = {module a = f2 X module b = f2 X def y = a.y}
module f4 (X: {val x : i32}) = {module a = f3 X module b = f3 X def y = a.y}
module f5 (X: {val x : i32}) = {module a = f4 X module b = f4 X def y = a.y}
module f6 (X: {val x : i32}) = {module a = f5 X module b = f5 X def y = a.y}
module f7 (X: {val x : i32}) = {module a = f6 X module b = f6 X def y = a.y}
module f8 (X: {val x : i32}) = {module a = f7 X module b = f7 X def y = a.y}
module f9 (X: {val x : i32}) = {module a = f8 X module b = f8 X def y = a.y}
module f10 (X: {val x : i32}) = {module a = f9 X module b = f9 X def y = a.y}
module f11 (X: {val x : i32}) = {module a = f10 X module b = f10 X def y = a.y}
module f12 (X: {val x : i32}) = {module a = f11 X module b = f11 X def y = a.y}
module f13 (X: {val x : i32}) = {module a = f12 X module b = f12 X def y = a.y}
module f14 (X: {val x : i32}) = {module a = f13 X module b = f13 X def y = a.y}
module f15 (X: {val x : i32}) = {module a = f14 X module b = f14 X def y = a.y}
module f16 (X: {val x : i32}) = {module a = f15 X module b = f15 X def y = a.y}
module f17 (X: {val x : i32}) = {module a = f16 X module b = f16 X def y = a.y}
module f18 (X: {val x : i32}) = {module a = f17 X module b = f17 X def y = a.y}
module f19 (X: {val x : i32}) = {module a = f18 X module b = f18 X def y = a.y}
module f20 (X: {val x : i32}) = {module a = f19 X module b = f19 X def y = a.y}
module f21 (X: {val x : i32}) = {module a = f20 X module b = f20 X def y = a.y}
module f22 (X: {val x : i32}) = {module a = f21 X module b = f21 X def y = a.y}
module f23 (X: {val x : i32}) = {module a = f22 X module b = f22 X def y = a.y}
module f24 (X: {val x : i32}) = {module a = f23 X module b = f23 X def y = a.y}
module f25 (X: {val x : i32}) = {module a = f24 X module b = f24 X def y = a.y}
