// SPDX-License-Identifier: MIT
// `softwave targets`: lists the processors, shows one, compares two, or explains a target id or bundle entry
// id.
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/targets/targets.h"

static const char *setting_name(sw_setting s) {
    static const char *const names[] = {"unsupported", "any", "off", "on"};
    return names[s];
}

static void list_all(struct text *t) {
    const char *family = "";
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_processor_info p = targets_info(sw_processor_at(i));
        const char *heading = p.generic ? "Generic processors (code object V6)" : p.family;
        if (strcmp(heading, family)) text_printf(t, "%s%s\n", i ? "\n" : "", family = heading);
        text_printf(t, "  %s", p.name);
        text_pad(t, 18);
        text_printf(t, " 0x%02x  %s", p.mach, p.generic ? "-" : p.apu ? "APU" : "dGPU");
        if (p.alternatives[0] || p.generic || p.features[0]) text_pad(t, 31);
        targets_join(t, p.alternatives, ", ");
        if (p.generic) text_printf(t, "version %u", p.generic_version);
        if (p.features[0]) {
            text_pad(t, 59);
            targets_join(t, p.features, ", ");
        }
        text_puts(t, "\n");
        targets_products(t, sw_processor_at(i), 18);
    }
}

// A target id as text or JSON: `entry` is the canonical bundle entry id it came from, or NULL.
static void show_target(struct text *t, struct json *j, const sw_target *target, const char *entry) {
    char id[SW_TARGET_TEXT], v3[SW_TARGET_TEXT];
    sw_target_format(target, id);
    sw_target_format_v3(target, v3);
    if (j) {
        json_open(j, NULL, '{');
        if (entry) json_string(j, "bundle_entry", entry);
        json_string(j, "canonical", id);
        json_string(j, "sramecc", setting_name(target->sramecc));
        json_string(j, "xnack", setting_name(target->xnack));
        json_open(j, "e_flags", '{');
    } else {
        if (entry) text_printf(t, "bundle entry   %s\n", entry);
        text_printf(t, "canonical      %s\n", id);
        text_printf(t, "sramecc %s, xnack %s\n", setting_name(target->sramecc), setting_name(target->xnack));
    }
    for (unsigned abi = 1; abi <= 4; abi++) {
        if (sw_target_check_abi(target, abi, NULL)) continue;
        uint32_t flags = sw_target_to_eflags(target, abi);
        char version[] = {'V', (char)('2' + abi), 0};
        if (j)
            json_uint(j, version, flags);
        else
            text_printf(t, "e_flags %s     0x%x%s%s\n", version, flags, abi == 1 ? "  " : "",
                        abi == 1 ? v3 : "");
    }
    if (j) {
        json_close(j, '}');
        targets_json_processor(j, "processor", target->processor);
        json_close(j, '}');
    } else {
        text_puts(t, "\n");
        targets_show_processor(t, target->processor);
    }
}

// The processor or product that is called so; NULL: it is neither.
static const sw_processor *processor_of(const char *arg) {
    const size_t length = strlen(arg);
    const sw_processor *p = sw_processor_find(arg, length);
    sw_target chosen;
    if (!p && !strchr(arg, ':') && sw_target_choose(arg, length, &chosen, NULL) == SW_OK &&
        strncmp(arg, "amdgcn-", 7) && strncmp(arg, "r600-", 5))
        p = chosen.processor;
    return p;
}

static int explain(struct text *t, struct json *j, const char *arg, bool v3) {
    size_t length = strlen(arg);
    const sw_processor *p = processor_of(arg);
    if (p && !v3) {
        if (j)
            targets_json_processor(j, NULL, p);
        else
            targets_show_processor(t, p);
        return SW_OK;
    }
    sw_target target;
    char entry_text[SW_BUNDLE_ENTRY_TEXT];
    bool is_entry = !strncmp(arg, "host-", 5) || !strncmp(arg, "hip", 3) || !strncmp(arg, "openmp-", 7);
    if (is_entry) {
        sw_bundle_entry e = {.size = sizeof e};
        sw_status status = sw_bundle_entry_parse(arg, length, &e, &cli_sink);
        if (status) return status;
        sw_bundle_entry_format(&e, entry_text);
        target = e.target;
        if (!target.processor) {
            if (j)
                json_open(j, NULL, '{'), json_string(j, "bundle_entry", entry_text), json_close(j, '}');
            else
                text_printf(t, "bundle entry   %s (host code)\n", entry_text);
            return SW_OK;
        }
    } else {
        sw_status status = v3 ? sw_target_parse_v3(arg, length, &target, &cli_sink)
                              : sw_target_choose(arg, length, &target, &cli_sink);
        if (status) return status;
    }
    show_target(t, j, &target, is_entry ? entry_text : NULL);
    return SW_OK;
}

static int compare(struct text *t, const char *a, const char *b) {
    const char *const names[] = {a, b};
    const sw_processor *p[2];
    for (int i = 0; i < 2; i++) {
        p[i] = processor_of(names[i]);
        sw_target none;
        if (!p[i] && sw_target_choose(names[i], strlen(names[i]), &none, &cli_sink) == SW_OK)
            return cli_usage("targets", "'%s' is a target id: processors or products are compared", names[i]);
        if (!p[i]) return SW_BAD_INPUT;
    }
    return targets_compare(t, p[0], p[1]);
}

static void list_address_spaces(struct text *t, struct json *j) {
    if (j) json_open(j, NULL, '[');
    for (size_t i = 0; i < sw_address_space_count(); i++) {
        const sw_address_space *a = sw_address_space_at(i);
        if (j) {
            json_open(j, NULL, '{');
            json_uint(j, "number", a->number);
            json_string(j, "name", a->name);
            json_string(j, "hsa_segment", a->hsa_segment);
            json_string(j, "hardware", a->hardware);
            json_uint(j, "bits", a->bits);
            if (a->has_null) json_uint(j, "null", a->null_value);
            json_close(j, '}');
            continue;
        }
        text_printf(t, "%3u  %-23s %-9s %-8s %3u bits", a->number, a->name,
                    a->hsa_segment ? a->hsa_segment : "-", a->hardware ? a->hardware : "-", a->bits);
        if (a->has_null) text_printf(t, "  null 0x%llx", (unsigned long long)a->null_value);
        text_puts(t, "\n");
    }
    if (j) json_close(j, ']');
}

enum { JSON, V3, SPACES };
static const struct cli_option options[] = {
    {JSON, 0, "json", NULL, "print JSON"},
    {V3, 0, "v3", NULL,
     "read the id in the syntax of V2 and V3, PROCESSOR+FEATURE...; features without a plus are off"},
    {SPACES, 0, "address-spaces", NULL, "list the address spaces of LLVM"},
};

static int cmd_targets(int argc, char **argv) {
    struct scan s = cli_scan(&command_targets, argc, argv);
    const char *arg = NULL, *other = NULL;
    bool json = false, v3 = false, spaces = false;
    for (int id; (id = cli_next(&s)) != SCAN_END;) {
        if (id == SCAN_ERROR || id == SCAN_HELP) return cli_early(id);
        if (id == SCAN_POSITIONAL && other) return cli_usage("targets", "more than two processors");
        if (id == SCAN_POSITIONAL) *(arg ? &other : &arg) = s.value;
        json |= id == JSON;
        v3 |= id == V3;
        spaces |= id == SPACES;
    }
    if (arg && spaces) return cli_usage("targets", "--address-spaces takes no processor");
    if (other && (json || v3)) return cli_usage("targets", "two processors are compared as text alone");
    struct text t = {0};
    struct json j = {.out = &t};
    int status = SW_OK;
    if (other)
        status = compare(&t, arg, other);
    else if (spaces)
        list_address_spaces(&t, json ? &j : NULL);
    else if (arg)
        status = explain(&t, json ? &j : NULL, arg, v3);
    else if (!json)
        list_all(&t);
    else {
        json_open(&j, NULL, '[');
        for (size_t i = 0; i < sw_processor_count(); i++)
            targets_json_processor(&j, NULL, sw_processor_at(i));
        json_close(&j, ']');
    }
    return cli_finish(&t, status);
}

const struct cli_command command_targets = {
    .name = "targets",
    .run = cmd_targets,
    .what = "list processors and products, explain target ids",
    .synopsis = "[--json] [--v3] [PROCESSOR | PRODUCT | TARGET-ID | BUNDLE-ENTRY-ID] [PROCESSOR | PRODUCT]",
    .about =
        "Lists every processor and the products that have it. With a processor or a product such as "
        "MI300X, it "
        "shows that processor. With a target id, it shows the canonical form, the e_flags in each code "
        "object "
        "version and the processors that can run it; if the id is wrong, it says why (exit code 2). With two "
        "processors, it shows what differs: facts, capabilities, instructions.\n\n"
        "Every option that takes a processor also takes a product: --target=mi300x, --gpu='RX 7900 "
        "XTX'. Case, "
        "spaces and the words AMD, Radeon, RX, Pro, Instinct and Ryzen do not matter.",
    CLI_OPTIONS(options),
    .examples = "softwave targets\n"
                "softwave targets polaris10\n"
                "softwave targets mi300x\n"
                "softwave targets gfx1030 gfx1100\n"
                "softwave targets --json gfx90a:xnack+:sramecc-\n"
                "softwave targets amdgcn-amd-amdhsa--gfx906:xnack-\n"
                "softwave targets --v3 gfx906+xnack\n"
                "softwave targets hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+\n",
    .operand = "ID",
};
