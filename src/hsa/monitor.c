// SPDX-License-Identifier: MIT
// What samples a card while it runs: streams of performance counters (SPM) and samples of program counters.
// A software GPU has no hardware that does this. Agents list no way of sampling, and a session cannot be
// made.
#include "hsa/agent/agent.h"

// ---- Streams of performance counters ----

HSA(status, hsa_amd_spm_acquire, handle_t agent) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    return ST_ERROR; // as where the driver has no such streams
}
HSA(status, hsa_amd_spm_release, handle_t agent) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    return ST_ERROR; // nobody acquired them
}
HSA(status, hsa_amd_spm_set_dest_buffer, handle_t agent, size_t size, uint32_t *timeout, uint32_t *copied,
    void *to, bool *lost) {
    NEED_RUNTIME;
    (void)size, (void)to;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(timeout && copied && lost, ST_INVALID_ARGUMENT);
    return ST_ERROR;
}

// ---- Samples of program counters ----

struct sampling; // a way of sampling; none exists

HSA(status, hsa_ven_amd_pcs_iterate_configuration, handle_t agent,
    status (*callback)(const struct sampling *, void *), void *data) {
    NEED_RUNTIME;
    (void)data;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(callback, ST_INVALID_ARGUMENT);
    return ST_SUCCESS;
}

// No method with these units is one that the agent listed.
static status no_session(handle_t agent, const void *ready, const handle_t *out) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(ready && out, ST_INVALID_ARGUMENT);
    return ST_INVALID_ARGUMENT;
}
typedef void ready_callback(void *, size_t, size_t, status (*)(void *, size_t, void *), void *);
HSA(status, hsa_ven_amd_pcs_create, handle_t agent, int method, int units, size_t interval, size_t latency,
    size_t size, ready_callback *ready, void *data, handle_t *out) {
    (void)method, (void)units, (void)interval, (void)latency, (void)size, (void)data;
    return no_session(agent, (const void *)ready, out);
}
HSA(status, hsa_ven_amd_pcs_create_from_id, uint32_t id, handle_t agent, int method, int units,
    size_t interval, size_t latency, size_t size, ready_callback *ready, void *data, handle_t *out) {
    (void)id, (void)method, (void)units, (void)interval, (void)latency, (void)size, (void)data;
    return no_session(agent, (const void *)ready, out);
}

// No handle means a session.
static status not_a_session(handle_t session) {
    NEED_RUNTIME;
    (void)session;
    return ST_INVALID_ARGUMENT;
}
HSA(status, hsa_ven_amd_pcs_destroy, handle_t session) { return not_a_session(session); }
HSA(status, hsa_ven_amd_pcs_start, handle_t session) { return not_a_session(session); }
HSA(status, hsa_ven_amd_pcs_stop, handle_t session) { return not_a_session(session); }
HSA(status, hsa_ven_amd_pcs_flush, handle_t session) { return not_a_session(session); }
