-- Types that are small as written and huge written out.
-- ==
-- error: written out, the type `p` has more than .* parts or .* levels \[H2002]
type a = (i32, i32)
type b = (a, a)
type c = (b, b)
type d = (c, c)
type e = (d, d)
type f = (e, e)
type g = (f, f)
type h = (g, g)
type i = (h, h)
type j = (i, i)
type k = (j, j)
type l = (k, k)
type m = (l, l)
type n = (m, m)
type o = (n, n)
type p = (o, o)
