__attribute__((visibility("default"), noinline)) int maybe(int x) { return x - 1; }
int lonely(int x) { return x; }
