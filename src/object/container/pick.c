// SPDX-License-Identifier: MIT
// Choosing the code object of a container that a device should run.
//
// Every compatible entry is scored: settings of the target id that both sides spell out weigh most, then
// code for the very processor over generic code. One best entry is the answer; otherwise the message lists
// the targets at hand, so that the user can name one.
#include "object/container/container.h"
#include "object/code/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int setting_score(sw_setting code, sw_setting device) {
    if (code == device) return 2;
    return code == SW_SETTING_ANY || device == SW_SETTING_ANY ? 1 : 0;
}

// Higher is better, negative: not compatible.
static int score(const sw_entry *e, const sw_target *device) {
    if (!device) return 0;
    if (!e->has_target || !sw_target_compatible(&e->target, e->generic_version, device)) return -1;
    return (e->target.processor == device->processor ? 16 : 0) +
           setting_score(e->target.xnack, device->xnack) + setting_score(e->target.sramecc, device->sramecc);
}

static bool symbol_means(const char *symbol, const char *kernel) {
    char name[4096];
    size_t n = strlen(symbol);
    if (n < 3 || strcmp(symbol + n - 3, ".kd") || n - 3 >= sizeof name) return false;
    if (!strcmp(symbol, kernel)) return true;
    memcpy(name, symbol, n - 3);
    name[n - 3] = 0;
    return kernel_name_means(name, kernel);
}

static bool defines_kernel(const uint8_t *data, size_t length, const char *kernel) {
    struct sw_object o = {.bytes = data, .size = length};
    bool found = false;
    if (!object_read_elf(&o, NULL) && !object_read_tables(&o, NULL))
        for (int t = 0; t < 2; t++)
            for (size_t i = 0; !found && i < o.symbols[t].count; i++)
                found = o.symbols[t].items[i].section != SHN_UNDEF &&
                        symbol_means(o.symbols[t].items[i].name, kernel);
    arena_free(&o.arena);
    return found;
}

// "2: gfx906, gfx90a:xnack-": each target once, in file order.
static void list_targets(const struct sw_container *c, char *out, size_t size) {
    size_t used = 0;
    *out = 0;
    for (size_t i = 0; i < c->entries.count && used < size - 80; i++) {
        const sw_entry *e = &c->entries.items[i];
        char text[SW_TARGET_TEXT];
        if (!e->is_device || !e->has_target) continue;
        size_t length = sw_target_format(&e->target, text);
        bool seen = false; // as a whole word of the list
        for (const char *p = out; (p = strstr(p, text)); p += length)
            if ((p == out || p[-1] == ' ') && (!p[length] || p[length] == ',')) seen = true;
        if (!seen) used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", text);
    }
}

static sw_status refuse(const struct sw_container *c, const sw_target *device, const char *kernel,
                        size_t matches, const sw_sink *sink) {
    char list[600], text[SW_TARGET_TEXT] = "any target", of[128] = "";
    list_targets(c, list, sizeof list);
    if (device) sw_target_format(device, text);
    if (kernel) snprintf(of, sizeof of, " with kernel '%.100s'", kernel);
    sw_location at = {.file = c->name};
    if (!matches)
        return diag_fail(sink, SW_BAD_INPUT, &at, "no code object for %s%s; there is code for: %s", text, of,
                         *list ? list : "nothing");
    return diag_fail(sink, SW_BAD_INPUT, &at,
                     "%zu code objects for %s%s; name a target%s; there is code for: %s", matches, text, of,
                     kernel ? "" : " or a kernel", list);
}

sw_status sw_container_pick(sw_container *c, const sw_target *device, const char *kernel, size_t *index,
                            const sw_sink *sink) {
    int best = -1;
    size_t matches = 0, chosen = 0;
    for (size_t i = 0; i < c->entries.count; i++) {
        if (!c->entries.items[i].is_device) continue;
        // An id has no generic version: compressed generic code is looked at first.
        sw_entry *e = &c->entries.items[i];
        const uint8_t *data = NULL;
        size_t length;
        bool generic = e->has_target && e->target.processor && e->target.processor->generic_version;
        if (!e->data && generic && sw_container_data(c, i, &data, &length, NULL)) continue;
        int s = score(e, device);
        if (s < 0 || s < best) continue;
        if (kernel &&
            (sw_container_data(c, i, &data, &length, NULL) || !defines_kernel(data, length, kernel)))
            continue;
        if (s > best) matches = 0;
        best = s;
        chosen = i;
        matches++;
    }
    if (matches != 1) return refuse(c, device, kernel, matches, sink);
    *index = chosen;
    return SW_OK;
}
