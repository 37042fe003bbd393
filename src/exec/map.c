// SPDX-License-Identifier: MIT
// Memory maps: which host addresses GPU code may touch.
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "exec/map.h"

// The index of the last range that begins at or below `address`, or `count` if there is none.
static size_t last_below(const struct map *map, uint64_t address) {
    const size_t below = SORTED_PREFIX(map->count, i, map->ranges[i].lo <= address);
    return below ? below - 1 : map->count;
}

bool map_find(const struct map *map, uint64_t address, uint32_t rights, struct range *out) {
    if (!map || !map->count) return false;
    size_t at = last_below(map, address);
    if (at == map->count || address >= map->ranges[at].hi || (map->ranges[at].rights & rights) != rights)
        return false;
    // Neighbours without a gap belong to the same stretch, so that an access may cross their border.
    size_t first = at, last = at;
    const struct map_range *r = map->ranges;
    const uint32_t watch = rights & RIGHT_WRITE ? RIGHT_WATCH : 0, same = rights | watch;
    const uint32_t wanted = rights | (r[at].rights & watch);
    while (first > 0 && r[first - 1].hi == r[first].lo && (r[first - 1].rights & same) == wanted) first--;
    while (last + 1 < map->count && r[last + 1].lo == r[last].hi && (r[last + 1].rights & same) == wanted)
        last++;
    out->lo = r[first].lo;
    out->last = r[last].hi - 1;
    if (wanted & RIGHT_WATCH) {
        const uint64_t block = address & ~(uint64_t)(WATCH_BLOCK - 1);
        if (out->lo < block) out->lo = block;
        if (out->last > block + WATCH_BLOCK - 1) out->last = block + WATCH_BLOCK - 1;
    }
    return true;
}

// Addresses of programs: what is below, Linux maps to nobody.
#define PROGRAM_LOWEST  0x10000ull
#define PROGRAM_HIGHEST 0x7fffffffefffull

bool map_find_hole(const struct map *map, uint64_t address, struct range *out) {
    if (address < PROGRAM_LOWEST || address > PROGRAM_HIGHEST) return false;
    *out = (struct range){PROGRAM_LOWEST, PROGRAM_HIGHEST};
    if (!map->count) return true;
    const size_t at = last_below(map, address);
    if (at < map->count) {
        if (address < map->ranges[at].hi) return false;
        if (map->ranges[at].hi > out->lo) out->lo = map->ranges[at].hi;
    }
    const size_t next = at < map->count ? at + 1 : 0;
    if (next < map->count && map->ranges[next].lo <= out->last) out->last = map->ranges[next].lo - 1;
    return true;
}

bool map_stays(const struct map *map, const struct range *range) {
    size_t at = last_below(map, range->lo);
    uint64_t from = range->lo;
    for (; at < map->count && map->ranges[at].lo <= from && map->ranges[at].rights & RIGHT_STAYS; at++) {
        if (map->ranges[at].hi > range->last) return true;
        from = map->ranges[at].hi;
    }
    return false;
}

bool map_has_more(const struct map *map, uint64_t lo, uint64_t hi, uint32_t rights) {
    size_t at = last_below(map, lo);
    for (at = at == map->count ? 0 : at; at < map->count && map->ranges[at].lo < hi; at++)
        if (map->ranges[at].hi > lo && map->ranges[at].rights & ~rights) return true;
    return false;
}

bool map_take(struct map *map, uint64_t lo, uint64_t hi, uint32_t right) {
    bool had = false;
    size_t at = last_below(map, lo);
    for (at = at == map->count ? 0 : at; at < map->count && map->ranges[at].lo < hi; at++) {
        struct map_range *r = &map->ranges[at];
        if (r->hi <= lo || !(r->rights & right)) continue;
        r->rights &= ~right;
        had = true;
    }
    return had;
}

// Ranges are cut but never merged, so that running past an allocation into its neighbour is found.
bool map_set(struct map *map, uint64_t lo, uint64_t hi, uint32_t rights) {
    size_t first = 0, last = map->count; // those that [lo, hi) touches
    for (size_t n = map->count; first < n;) {
        const size_t middle = first + (n - first) / 2;
        if (map->ranges[middle].hi <= lo)
            first = middle + 1;
        else
            n = middle;
    }
    for (last = first; last < map->count && map->ranges[last].lo < hi;) last++;
    struct map_range pieces[3];
    size_t count = 0;
    if (first < last && map->ranges[first].lo < lo)
        pieces[count++] = (struct map_range){map->ranges[first].lo, lo, map->ranges[first].rights};
    if (rights) pieces[count++] = (struct map_range){lo, hi, rights};
    if (first < last && map->ranges[last - 1].hi > hi)
        pieces[count++] = (struct map_range){hi, map->ranges[last - 1].hi, map->ranges[last - 1].rights};
    const size_t total = map->count - (last - first) + count;
    if (total > map->capacity) {
        const size_t room = total > 2 * map->capacity ? total : 2 * map->capacity;
        struct map_range *p = realloc(map->ranges, room * sizeof *p);
        if (!p) return false;
        map->ranges = p;
        map->capacity = room;
    }
    memmove(map->ranges + first + count, map->ranges + last, (map->count - last) * sizeof *pieces);
    memcpy(map->ranges + first, pieces, count * sizeof *pieces);
    map->count = total;
    return true;
}

// Addresses of the range outside of [lo, hi); false if that holds the address itself.
bool range_keep_out(struct range *range, uint64_t address, uint64_t lo, uint64_t hi) {
    if (address >= lo && address < hi) return false;
    if (address < lo && range->last >= lo) range->last = lo - 1;
    if (address >= hi && range->lo < hi) range->lo = hi;
    return true;
}

// Of the process's memory that nobody gave rights to: all of it, where the device may use that (XNACK), but
// not other devices' allocations nor what its owner keeps to itself.
bool map_find_host(const struct map *map, uint64_t address, uint32_t rights, struct range *out) {
    return map->host_memory && !(rights & ~(uint32_t)(RIGHT_READ | RIGHT_WRITE)) &&
           map_find_hole(map, address, out) &&
           range_keep_out(out, address, map->arena_begin, map->arena_end) &&
           range_keep_out(out, address, map->closed_begin, map->closed_end);
}
