// SPDX-License-Identifier: MIT
// Memory maps: which host addresses GPU code may touch.
#include "device/memory.h"

// The index of the last range that begins at or below `address`, or `count` if there is none.
static size_t last_below(const struct map *map, uint64_t address) {
    size_t lo = 0, hi = map->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (map->ranges[middle].lo <= address)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo ? lo - 1 : map->count;
}

bool map_find(const struct map *map, uint64_t address, uint32_t rights, struct range *out) {
    if (!map || !map->count) return false;
    size_t at = last_below(map, address);
    if (at == map->count || address >= map->ranges[at].hi || (map->ranges[at].rights & rights) != rights)
        return false;
    // Neighbours without a gap belong to the same stretch, so that an access may cross their border.
    size_t first = at, last = at;
    const struct map_range *r = map->ranges;
    while (first > 0 && r[first - 1].hi == r[first].lo && (r[first - 1].rights & rights) == rights) first--;
    while (last + 1 < map->count && r[last + 1].lo == r[last].hi && (r[last + 1].rights & rights) == rights)
        last++;
    out->lo = r[first].lo;
    out->last = r[last].hi - 1;
    return true;
}
