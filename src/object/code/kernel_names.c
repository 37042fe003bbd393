// SPDX-License-Identifier: MIT
// Which kernels a name means: the symbol itself, or the C++ name that it mangles, from any "::" on, with or
// without parameters and template arguments.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/similar.h"

enum { MAX_NAME = 4096, MAX_COMPARED = 96 };

// Parts of "ns::look<float>(float*, int)".
struct parts {
    size_t begin, parameters, arguments, end; // behind the return type; "(", "<" of the last part
};

static bool is_operator(const char *text, size_t at) {
    return at >= 8 && !memcmp(text + at - 8, "operator", 8);
}

static struct parts take_apart(const char *text) {
    struct parts p = {.end = strlen(text)};
    int depth = 0;
    size_t space = 0, angle = 0;
    p.parameters = p.end;
    for (size_t i = 0; i < p.end; i++) {
        char c = text[i];
        bool operator_here = is_operator(text, i);
        if (c == '(' && !depth) p.parameters = i;
        if (c == '<' && !depth && !operator_here) angle = i;
        if (c == '(' || (c == '<' && !operator_here)) depth++;
        if ((c == ')' || (c == '>' && i && text[i - 1] != '-')) && depth) depth--;
        if (c == ' ' && !depth && p.parameters == p.end) space = i + 1;
    }
    p.begin = space < p.parameters ? space : 0;
    bool templated =
        p.parameters > p.begin && text[p.parameters - 1] == '>' && angle >= p.begin && angle < p.parameters;
    p.arguments = templated ? angle : p.parameters;
    return p;
}

// Whether text[begin, end) is `name`, or ends with it behind "::".
static bool ends_with(const char *text, size_t begin, size_t end, const char *name) {
    size_t n = strlen(name);
    if (n > end - begin || memcmp(text + end - n, name, n)) return false;
    return n == end - begin || (end - begin >= n + 2 && !memcmp(text + end - n - 2, "::", 2));
}

bool kernel_name_means(const char *kernel, const char *name) {
    char text[MAX_NAME];
    if (!strcmp(kernel, name)) return true;
    if (!sw_demangle(kernel, text, sizeof text)) return false;
    struct parts p = take_apart(text);
    return !strcmp(text, name) || ends_with(text, p.begin, p.end, name) ||
           ends_with(text, p.begin, p.parameters, name) || ends_with(text, p.begin, p.arguments, name);
}

bool sw_kernel_is_called(const sw_kernel *kernel, const char *name) {
    return kernel_name_means(kernel->name, name);
}

size_t sw_object_match_kernels(const sw_object *o, const char *name, const sw_kernel **out, size_t capacity) {
    const sw_kernel *exact = sw_object_find_kernel(o, name);
    size_t count = 0;
    if (exact) {
        if (capacity) *out = exact;
        return 1;
    }
    for (size_t i = 0; i < o->kernel_count; i++)
        if (kernel_name_means(o->kernels[i].name, name)) {
            if (count < capacity) out[count] = &o->kernels[i];
            count++;
        }
    return count;
}

static void consider(const char *name, const char *text, size_t length, const sw_kernel *k, unsigned *best,
                     const sw_kernel **found) {
    size_t n = strlen(name);
    if (n > MAX_COMPARED || length > MAX_COMPARED || !n) return;
    unsigned d = similar_distance(name, n, text, length, *best);
    if (d >= *best || d > 1 + n / 3) return;
    *best = d;
    *found = k;
}

const sw_kernel *sw_object_similar_kernel(const sw_object *o, const char *name) {
    enum { MOST = 20000 };
    const sw_kernel *found = NULL;
    unsigned best = MAX_COMPARED;
    for (size_t i = 0; i < o->kernel_count && i < MOST; i++) {
        const sw_kernel *k = &o->kernels[i];
        char text[MAX_NAME];
        consider(name, k->name, strlen(k->name), k, &best, &found);
        if (!sw_demangle(k->name, text, sizeof text)) continue;
        struct parts p = take_apart(text);
        size_t last = p.begin;
        for (size_t j = p.begin; j + 1 < p.arguments; j++)
            if (text[j] == ':' && text[j + 1] == ':') last = j + 2;
        consider(name, text + last, p.arguments - last, k, &best, &found);
        consider(name, text + p.begin, p.arguments - p.begin, k, &best, &found);
    }
    return found;
}
