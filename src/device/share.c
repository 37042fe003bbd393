// SPDX-License-Identifier: MIT
// Allocations that other devices may touch, too. The process keeps one list of them, so that an allocation
// that goes is first taken from all who share it. Its lock is held outside the devices' locks, and never
// while waiting for a worker.
#include "base/diag.h"
#include "device/device.h"

struct share {
    sw_device *owner, *with;
    uint64_t base, size;
};
static pthread_mutex_t shares_lock = PTHREAD_MUTEX_INITIALIZER;
static ARRAY(struct share) shares;

// The share of this memory with this device; the count if there is none.
static size_t find(const sw_device *owner, uint64_t base, const sw_device *with) {
    size_t i = 0;
    while (i < shares.count &&
           !(shares.items[i].owner == owner && shares.items[i].base == base && shares.items[i].with == with))
        i++;
    return i;
}
static void drop(size_t at) {
    shares.items[at] = shares.items[--shares.count];
    if (!shares.count) array_free(&shares);
}

static bool is_allocation(struct share *s, bool *less) {
    pthread_mutex_lock(&s->owner->pool.lock);
    const bool found = allocation_share(s->owner, s->base, &s->size, less);
    pthread_mutex_unlock(&s->owner->pool.lock);
    return found;
}

// Called with the list's lock held. *less: kernels may still use rights that they had.
static sw_status set_share(const struct share *s, unsigned rights, bool *less) {
    const size_t at = find(s->owner, s->base, s->with);
    if (at == shares.count && (!rights || !array_push(&shares, *s))) return rights ? SW_NO_MEMORY : SW_OK;
    pthread_mutex_lock(&s->with->pool.lock);
    if (rights) rights |= SW_RIGHT_STAYS;
    *less = map_has_more(&s->with->pool.map, s->base, s->base + s->size, rights);
    const sw_status status = pool_set_rights(&s->with->pool, s->base, s->base + s->size, rights);
    pthread_mutex_unlock(&s->with->pool.lock);
    if (!rights || (status && at + 1 == shares.count)) drop(at);
    return status;
}

static void settle(sw_device *d) {
    pthread_mutex_lock(&d->pool.lock);
    rights_settle(&d->pool);
    pthread_mutex_unlock(&d->pool.lock);
}

sw_status sw_device_share(sw_device *owner, void *memory, sw_device *with, unsigned rights) {
    if (owner == with || rights & ~(unsigned)(SW_RIGHT_READ | SW_RIGHT_WRITE)) return SW_USAGE;
    if (!device_enter(owner)) return SW_USAGE;
    sw_status status = SW_USAGE;
    if (device_enter(with)) {
        struct share s = {.owner = owner, .with = with, .base = (uint64_t)(uintptr_t)memory};
        bool less = false, own_less = false;
        pthread_mutex_lock(&shares_lock);
        if (is_allocation(&s, &own_less)) status = set_share(&s, rights, &less);
        pthread_mutex_unlock(&shares_lock);
        if (own_less) settle(owner);
        if (status == SW_OK && less) settle(with);
        device_leave(with);
    }
    device_leave(owner);
    return status;
}

// Takes it away; `with` was kept alive for that.
static void revoke(const struct share *s) {
    pthread_mutex_lock(&s->with->pool.lock);
    pool_set_rights(&s->with->pool, s->base, s->base + s->size, 0);
    rights_settle(&s->with->pool);
    pthread_mutex_unlock(&s->with->pool.lock);
    device_leave(s->with);
}

// Some share of the owner's: of this memory, or of any (base 0). Its device stays until device_leave.
static bool take_share(const sw_device *owner, uint64_t base, struct share *out) {
    bool found = false;
    pthread_mutex_lock(&shares_lock);
    for (size_t i = 0; i < shares.count && !found; i++) {
        const struct share *s = &shares.items[i];
        found = s->owner == owner && (!base || s->base == base);
        if (!found) continue;
        *out = *s;
        device_keep(out->with);
        drop(i);
    }
    pthread_mutex_unlock(&shares_lock);
    return found;
}

void shares_revoke(sw_device *owner, uint64_t base) {
    for (struct share s; take_share(owner, base, &s);) revoke(&s);
}

void shares_forget(sw_device *d) {
    shares_revoke(d, 0);
    pthread_mutex_lock(&shares_lock);
    for (size_t i = shares.count; i-- > 0;)
        if (shares.items[i].with == d) drop(i);
    pthread_mutex_unlock(&shares_lock);
}
