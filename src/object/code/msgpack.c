// SPDX-License-Identifier: MIT
// MessagePack metadata as a tree of sw_node in the object's arena.
//
// msgpack-c does the decoding, but allocates what a count announces before it has seen the items: five bytes
// can ask for 100 GB. So the bytes are walked once before, headers only, checking that every count is covered
// by bytes that follow and that nesting is shallow; this also yields the offset that a message can name. The
// tree then costs at most 24 bytes of memory for each byte of metadata.
#include "object/code/object.h"

#include <msgpack.h>
#include <string.h>

enum { MAX_DEPTH = 24 };

// What one header byte says: bytes of header in all, then a length of payload or a count of items.
struct head {
    unsigned size;
    uint64_t payload, items;
    const char *problem;
};

static struct head read_head(const uint8_t *p, uint64_t left) {
    static const struct head truncated = {.problem = "the value is cut off"};
    uint8_t b = *p;
    if (b < 0x80 || b >= 0xe0) return (struct head){1, 0, 0, NULL};
    if (b < 0x90) return (struct head){1, 0, 2u * (b & 15), NULL};
    if (b < 0xa0) return (struct head){1, 0, b & 15, NULL};
    if (b < 0xc0) return (struct head){1, b & 31, 0, NULL};
    if (b == 0xc1) return (struct head){.problem = "byte 0xc1 is not MessagePack"};
    if (b == 0xc0 || b == 0xc2 || b == 0xc3) return (struct head){1, 0, 0, NULL};
    if (b >= 0xca && b <= 0xd3) { // float 32, 64; uint and int of 8 to 64 bits
        static const uint8_t size[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
        return (struct head){1, size[b - 0xca], 0, NULL};
    }
    if (b >= 0xd4 && b <= 0xd8) return (struct head){2, 1u << (b - 0xd4), 0, NULL}; // fixext
    // bin, ext, str: 8, 16, 32-bit lengths; array, map: 16, 32
    unsigned width = b <= 0xc6   ? 1u << (b - 0xc4)
                     : b <= 0xc9 ? 1u << (b - 0xc7)
                     : b <= 0xdb ? 1u << (b - 0xd9)
                                 : 2u << (b & 1);
    if (left < 1 + width) return truncated;
    uint64_t n = 0;
    for (unsigned i = 0; i < width; i++) n = n << 8 | p[1 + i];
    bool extension = b >= 0xc7 && b <= 0xc9;
    if (b < 0xdc) return (struct head){1 + width + extension, n, 0, NULL};
    return (struct head){1 + width, 0, b >= 0xde ? 2 * n : n, NULL};
}

// Whether the bytes are one whole value. On failure *offset is where and *problem what.
static bool check(const uint8_t *data, uint64_t size, uint64_t *offset, const char **problem) {
    uint64_t open[MAX_DEPTH]; // items still to come, by depth
    unsigned depth = 0;
    uint64_t at = 0;
    do {
        *offset = at;
        if (at == size) return *problem = "the value is cut off", false;
        struct head h = read_head(data + at, size - at);
        if (h.problem) return *problem = h.problem, false;
        if (h.size > size - at || h.payload > size - at - h.size)
            return *problem = "the value is cut off", false;
        at += h.size + h.payload;
        if (h.items > size - at) return *problem = "more items are announced than bytes follow", false;
        if (depth) open[depth - 1]--;
        if (h.items) {
            if (depth == MAX_DEPTH) return *problem = "nested too deeply", false;
            open[depth++] = h.items;
        }
        while (depth && !open[depth - 1]) depth--;
    } while (depth);
    *offset = at;
    for (; at < size; at++)
        if (data[at]) return *problem = "bytes follow the value", false;
    return true;
}

static bool convert(struct arena *arena, const msgpack_object *from, sw_node *to);

static bool convert_items(struct arena *arena, const msgpack_object_array *from, sw_node *to) {
    sw_node *items = arena_alloc(arena, from->size * sizeof *items);
    for (uint32_t i = 0; items && i < from->size; i++)
        if (!convert(arena, &from->ptr[i], &items[i])) return false;
    *to = (sw_node){.kind = SW_NODE_ARRAY, .count = from->size, .as.items = items};
    return items;
}

static bool convert_pairs(struct arena *arena, const msgpack_object_map *from, sw_node *to) {
    sw_node *items = arena_alloc(arena, (size_t)from->size * 2 * sizeof *items);
    for (uint32_t i = 0; items && i < from->size; i++)
        if (!convert(arena, &from->ptr[i].key, &items[2 * i]) ||
            !convert(arena, &from->ptr[i].val, &items[2 * i + 1]))
            return false;
    *to = (sw_node){.kind = SW_NODE_MAP, .count = from->size, .as.items = items};
    return items;
}

// Strings stay where they are, in the object's bytes. False when out of memory.
static bool convert(struct arena *arena, const msgpack_object *from, sw_node *to) {
    switch (from->type) {
    case MSGPACK_OBJECT_BOOLEAN:
        *to = (sw_node){.kind = SW_NODE_BOOL, .as.boolean = from->via.boolean};
        break;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        *to = (sw_node){.kind = SW_NODE_UINT, .as.uint = from->via.u64};
        break;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        *to = (sw_node){.kind = SW_NODE_INT, .as.sint = from->via.i64};
        break;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64: *to = (sw_node){.kind = SW_NODE_REAL, .as.real = from->via.f64}; break;
    case MSGPACK_OBJECT_STR:
        *to = (sw_node){.kind = SW_NODE_STRING, .as.string = {from->via.str.ptr, from->via.str.size}};
        break;
    case MSGPACK_OBJECT_BIN:
        *to = (sw_node){.kind = SW_NODE_BYTES, .as.string = {from->via.bin.ptr, from->via.bin.size}};
        break;
    case MSGPACK_OBJECT_EXT:
        *to = (sw_node){.kind = SW_NODE_BYTES, .as.string = {from->via.ext.ptr, from->via.ext.size}};
        break;
    case MSGPACK_OBJECT_ARRAY: return convert_items(arena, &from->via.array, to);
    case MSGPACK_OBJECT_MAP: return convert_pairs(arena, &from->via.map, to);
    default: *to = (sw_node){.kind = SW_NODE_NULL}; break;
    }
    return true;
}

sw_status msgpack_read(struct sw_object *o, const uint8_t *data, size_t size, uint64_t where,
                       const sw_node **out, const sw_sink *sink) {
    uint64_t offset = 0;
    const char *problem = NULL;
    if (!check(data, size, &offset, &problem))
        return object_bad(o, sink, where + offset, "metadata", "%s", problem);
    msgpack_unpacked result;
    msgpack_unpacked_init(&result);
    size_t used = 0;
    msgpack_unpack_return r = msgpack_unpack_next(&result, (const char *)data, size, &used);
    sw_status status = SW_OK;
    sw_node *root = NULL;
    if (r == MSGPACK_UNPACK_NOMEM_ERROR)
        status = object_no_memory(o, sink);
    else if (r != MSGPACK_UNPACK_SUCCESS && r != MSGPACK_UNPACK_EXTRA_BYTES)
        status = object_bad(o, sink, where + used, "metadata", "not MessagePack");
    else if (!(root = arena_alloc(&o->arena, sizeof *root)) || !convert(&o->arena, &result.data, root))
        status = object_no_memory(o, sink);
    msgpack_unpacked_destroy(&result);
    if (!status) *out = root;
    return status;
}
