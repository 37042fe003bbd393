// Control flow of every shape that lanes may take differently, as functions that the host's compiler and
// clang for a GPU both take: SHAPE(name) { … } of x (differs by lane) and n (the same in all).
#define SHAPES(X)                                                                                            \
    X(if_then)                                                                                               \
    X(if_else)                                                                                               \
    X(nested) X(both_or) X(chain) X(counted) X(breaks) X(continues) X(returns) X(targets) X(switched)        \
        X(threaded) X(rounds) X(within) X(bits) X(uniform_inside) X(uniform_exit) X(swapped) X(jumps)        \
            X(endless) X(state) X(tail)

SHAPE(if_then) {
    int r = x;
    if (x > n) r = x * 3 + n;
    return r;
}
SHAPE(if_else) {
    if (x & 1)
        x = x * 5 - n;
    else
        x = (x >> 1) ^ 77;
    return x;
}
SHAPE(nested) {
    int r = 1;
    if (x & 1) {
        r = x + 3;
        if (x & 2) {
            r ^= x << 4;
            if (x & 4)
                r -= n;
            else
                r += 7 * n;
        } else if (x & 8)
            r *= 11;
        r += 2;
    } else if (x & 16)
        r = n - x;
    return r;
}
SHAPE(both_or) {
    int r = 0;
    if ((x & 1 && x & 8) || (n > 3 && x & 4))
        r = x * n;
    else
        r = x - n;
    if (!(x & 2) && !(x & 32)) r ^= 5;
    return r;
}
SHAPE(chain) {
    int r = x;
    if (x % 7 == 0)
        r = 1;
    else if (x % 5 == 0)
        r += n;
    else if (x % 3 == 0)
        r ^= 0x55;
    else if (x & 1)
        r = r * 3;
    return r + n;
}
SHAPE(counted) {
    int r = n;
    for (int i = 0; i < (x & 31); i++) r = r * 3 + i;
    return r;
}
SHAPE(breaks) {
    int r = x, i;
    for (i = 0; i < 50; i++) {
        r = r * 1103515245 + 12345;
        if ((r >> 8 & 31) == 3) break;
        if (i > n && (r & 64)) break;
        r ^= i;
    }
    return r + i * 1000;
}
SHAPE(continues) {
    int r = 0;
    for (int i = 0; i < n + 9; i++) {
        if ((x + i) & 1) continue;
        r += x ^ i;
        if ((x ^ i) % 3 == 0) continue;
        r = r * 7;
    }
    return r;
}
SHAPE(returns) {
    if (x & 1) return n * 3;
    for (int i = 0; i < 20; i++) {
        if (((x >> 1) + i) % 11 == 0) return i + x;
        if (i == n + 8) return -i;
    }
    return x ^ 1;
}
SHAPE(targets) { // a loop with exits to different places
    int i, r = 5;
    for (i = 0; i < 30; i++) {
        r = r * 5 + x;
        if ((r & 15) == 1) goto first;
        if ((r & 15) == 7) goto second;
    }
    r += 3;
    goto done;
first:
    r = r * 2 + i;
second:
    r ^= x + i * 16;
done:
    return r - n;
}
SHAPE(switched) {
    int r = n;
    switch (x & 7) {
    case 0: r = 1;
    case 1: r += x; break;
    case 2:
    case 5: r ^= 99; break;
    case 6:
        for (int i = 0; i < (x >> 4 & 7); i++) r += i;
        break;
    case 7: return -5;
    default: r -= 4;
    }
    return r * 3;
}
SHAPE(threaded) { // jumps into the middle of later code
    int r = x;
    if (x & 1) goto a;
    if (x & 2) goto b;
    r = r * 3;
    if (x & 4) goto c;
a:
    r += 10;
    if (x & 8) goto c;
b:
    r ^= n;
c:
    r = r * 2 + 1;
    if ((x & 48) == 48) return r;
    return r + n;
}
SHAPE(rounds) { // what is the same in all lanes of a round is not behind the loop
    int i = 0, k = 1, last = 0;
    while (i < 40) {
        k = k * 3 + n;
        last = k ^ i;
        if ((x & 31) == i) break;
        i++;
    }
    return i * 100000 + (last & 0xfff) + k;
}
SHAPE(within) {
    int r = 0;
    for (int i = 0; i < (x & 7) + 2; i++) {
        for (int j = 0; j < n; j++) {
            if (((x >> 3) + j) % 5 == i) break;
            r += i * j + 1;
            for (int k = 0; k < (j & 3); k++) {
                if ((x & 3) == k) continue;
                r ^= k + x;
            }
        }
        if (r > 100000) break;
    }
    return r;
}
SHAPE(bits) { // conditions that live across loops and branches
    int r = 0, was = 0, odd = x & 1;
    for (int i = 0; i < 12; i++) {
        int now = ((x >> i) & 3) == 2;
        if (now && !was)
            r += i;
        else if (odd)
            r ^= 3;
        was = now;
        if (i > (x & 15)) odd = !odd;
    }
    return r * 2 + was;
}
SHAPE(uniform_inside) {
    int r = x;
    if (x & 1) {
        for (int i = 0; i < n; i++) r = r * 3 + i;
        if (n & 1)
            r ^= 77;
        else
            r -= 5;
    } else {
        if (n > 4) r = -r;
        r += n;
    }
    return r;
}
SHAPE(uniform_exit) {
    int r = x;
    for (int i = 0; i < 25; i++) {
        if ((x + i) % 9 == 0) r += 1000;
        if (i == n) return r;
        if ((x ^ i) % 13 == 0) break;
        r += i;
        if (i * 2 > n + 30) goto far;
    }
    r = r * 2;
far:
    return r ^ n;
}
SHAPE(swapped) {
    int a = x, b = n, c = 3;
    for (int i = 0; i < (x & 15); i++) {
        int t = a;
        a = b;
        b = c;
        c = t + i;
    }
    return a * 10000 + b * 100 + c;
}
SHAPE(jumps) { // a loop made of gotos, with a way back from two places
    int r = x, i = 0;
again:
    i++;
    if (i > 20) goto out;
    if (r & 1) {
        r = r * 3 + 1;
        goto again;
    }
    r >>= 1;
    if (r > n) goto again;
    r += 100;
out:
    return r + i * 7;
}
SHAPE(endless) {
    int r = x & 255;
    for (;;) {
        r = r * 5 + 3;
        if ((r & 63) == (n & 63)) return r;
        if ((r >> 4 & 15) == 9) break;
        if (r > 1 << 24) {
            r -= 1 << 23;
            if (x & 2) break;
            return r;
        }
    }
    return ~r;
}
SHAPE(state) { // a machine of states
    int s = 0, r = 0;
    for (int i = 0; i < 40; i++) {
        switch (s) {
        case 0: s = (x >> (i & 15)) & 1 ? 1 : 2; break;
        case 1:
            r += i;
            s = 3;
            break;
        case 2:
            r ^= x;
            s = r & 1 ? 0 : 3;
            break;
        case 3:
            if (r > 100) return r;
            s = 0;
            r++;
            break;
        }
    }
    return r + s;
}
SHAPE(tail) {
    int r = 0;
    do {
        r += x & 3;
        x >>= 1;
    } while (x > n && r < 20);
    return r * 16 + (x & 15);
}
