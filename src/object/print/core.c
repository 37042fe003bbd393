// SPDX-License-Identifier: MIT
// The note in core files that holds the state of the GPUs: the sizes of its parts checked, then agents and
// queues as the kernel driver describes them (CORE-05 to CORE-10).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "object/code/object.h"
#include "object/print/print.h"

enum { HEADER = 32, RUNTIME = 16, AGENT = 128, QUEUE = 64 }; // smallest sizes that hold what is printed

struct core {
    const uint8_t *runtime, *agents, *queues;
    uint64_t runtime_size;
    uint32_t major, minor, agent_count, agent_size, queue_count, queue_size;
};

// Finds the parts of the note. The message says what is wrong, or is NULL.
static const char *split(const sw_note *n, struct core *c) {
    if (n->size < HEADER) return "the note is shorter than its header";
    const uint8_t *p = n->data;
    *c = (struct core){.major = rd32(p),
                       .minor = rd32(p + 4),
                       .runtime_size = rd64(p + 8),
                       .agent_count = rd32(p + 16),
                       .agent_size = rd32(p + 20),
                       .queue_count = rd32(p + 24),
                       .queue_size = rd32(p + 28)};
    if (c->runtime_size % 8 || c->agent_size % 8 || c->queue_size % 8) return "a size is not a multiple of 8";
    const uint64_t agents = (uint64_t)c->agent_count * c->agent_size,
                   queues = (uint64_t)c->queue_count * c->queue_size;
    uint64_t left = n->size - HEADER;
    if (c->runtime_size > left) return "the runtime's state runs past the note";
    left -= c->runtime_size;
    if (agents > left) return "the agents run past the note";
    if (queues > left - agents) return "the queues run past the note";
    c->runtime = p + HEADER;
    c->agents = c->runtime + c->runtime_size;
    c->queues = c->agents + agents;
    return NULL;
}

void print_core_state(struct text *t, const sw_note *n) {
    struct core c;
    const char *problem = split(n, &c);
    if (problem) {
        text_printf(t, "    error: %s\n", problem);
        return;
    }
    text_printf(t, "    driver interface %u.%u, %u agents, %u queues\n", c.major, c.minor, c.agent_count,
                c.queue_count);
    if (c.runtime_size >= RUNTIME)
        text_printf(t, "    runtime: debug structure at 0x%" PRIx64 ", state %u, trap temporaries %s\n",
                    rd64(c.runtime), rd32(c.runtime + 8), rd32(c.runtime + 12) ? "set up" : "not set up");
    for (uint32_t i = 0; c.agent_size >= AGENT && i < c.agent_count; i++) {
        const uint8_t *a = c.agents + (uint64_t)i * c.agent_size;
        const uint32_t version = rd32(a + 88); // 90010 for gfx90a
        text_printf(
            t,
            "    agent %u: GPU 0x%x, gfx%u%u%x, device 0x%04x, %u SIMDs of %u waves, LDS at 0x%" PRIx64
            ", scratch at 0x%" PRIx64 ", exceptions 0x%" PRIx64 "\n",
            i, rd32(a + 56), version / 10000, version / 100 % 100, version % 100, rd32(a + 68), rd32(a + 92),
            rd32(a + 96), rd64(a + 8), rd64(a + 24), rd64(a));
    }
    for (uint32_t i = 0; c.queue_size >= QUEUE && i < c.queue_count; i++) {
        const uint8_t *q = c.queues + (uint64_t)i * c.queue_size;
        text_printf(t,
                    "    queue %u of GPU 0x%x: %u bytes at 0x%" PRIx64 ", read 0x%" PRIx64
                    ", write 0x%" PRIx64 ", saved waves at 0x%" PRIx64 ", exceptions 0x%" PRIx64 "\n",
                    rd32(q + 40), rd32(q + 44), rd32(q + 48), rd64(q + 8), rd64(q + 24), rd64(q + 16),
                    rd64(q + 32), rd64(q));
    }
}
