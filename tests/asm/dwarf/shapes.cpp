namespace n { template <class T> struct V { T x, y; T dot(const V &o) const { return x * o.x + y * o.y; } T k(T a) { return a + x; } }; }
n::V<float> gv = {1,2};
enum class E { A, B };
float use(n::V<float> *a, E e) { auto l = [&](float q) { return q + a->x; }; return l(a->dot(gv)) + (e == E::B ? a->k(3.f) : 0.f); }
