struct s {
    int a, b;
    float c[4];
};
static int sq(int x) { return x * x; }
__attribute__((noinline)) int other(struct s *p, int n) {
    int t = 0;
    for (int i = 0; i < n; i++) {
        if (p[i].a > 3)
            t += sq(p[i].b);
        else
            t -= p[i].c[1];
    }
    return t;
}
int f(struct s *p) { return other(p, 5) + sq(3); }
inline __attribute__((always_inline)) double g(double x) { return x + 1; }
double h(double *q) {
    switch ((int)q[0]) {
    case 1: return g(q[1]);
    case 2: return 5;
    default: return q[3];
    }
}
