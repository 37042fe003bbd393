// SPDX-License-Identifier: MIT
// The numbers and layouts of src/hsa/service/abi.h and reach_layout.h against those of the headers that
// clients are built with.
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>

#include "hsa/service/abi.h"
#include "hsa/signal/reach_layout.h"

#define SAME(ours, theirs) _Static_assert((long)(ours) == (long)(theirs), #ours)
#define SIZE(ours, theirs) SAME(sizeof(ours), sizeof(theirs))
#define AT(ours, member, theirs, their_member)                                                               \
    SAME(offsetof(ours, member), offsetof(theirs, their_member));                                            \
    SAME(sizeof(((ours *)0)->member), sizeof(((theirs *)0)->their_member))

#define INFO(name, number)          SAME(name, HSA_##name);
#define NAMED(name, number, theirs) SAME(name, theirs);
#define LATER(name, number)
#include "hsa/service/attributes.def"

#define STATUS(name) SAME(ST_##name, HSA_STATUS_ERROR_##name)
SAME(ST_SUCCESS, HSA_STATUS_SUCCESS);
SAME(ST_INFO_BREAK, HSA_STATUS_INFO_BREAK);
SAME(ST_ERROR, HSA_STATUS_ERROR);
SAME(ST_CU_MASK_REDUCED, HSA_STATUS_CU_MASK_REDUCED);
STATUS(INVALID_ARGUMENT);
STATUS(INVALID_QUEUE_CREATION);
STATUS(INVALID_ALLOCATION);
STATUS(INVALID_AGENT);
STATUS(INVALID_REGION);
STATUS(INVALID_SIGNAL);
STATUS(INVALID_QUEUE);
STATUS(OUT_OF_RESOURCES);
STATUS(INVALID_PACKET_FORMAT);
STATUS(RESOURCE_FREE);
STATUS(NOT_INITIALIZED);
STATUS(REFCOUNT_OVERFLOW);
STATUS(INCOMPATIBLE_ARGUMENTS);
STATUS(INVALID_INDEX);
STATUS(INVALID_ISA);
STATUS(INVALID_ISA_NAME);
STATUS(INVALID_CODE_OBJECT);
STATUS(INVALID_EXECUTABLE);
STATUS(FROZEN_EXECUTABLE);
STATUS(INVALID_SYMBOL_NAME);
STATUS(VARIABLE_ALREADY_DEFINED);
STATUS(VARIABLE_UNDEFINED);
STATUS(EXCEPTION);
STATUS(INVALID_CODE_SYMBOL);
STATUS(INVALID_EXECUTABLE_SYMBOL);
STATUS(INVALID_FILE);
STATUS(INVALID_CODE_OBJECT_READER);
STATUS(INVALID_CACHE);
STATUS(INVALID_WAVEFRONT);
STATUS(INVALID_SIGNAL_GROUP);
STATUS(INVALID_RUNTIME_STATE);
STATUS(FATAL);
STATUS(INVALID_MEMORY_POOL);
STATUS(MEMORY_APERTURE_VIOLATION);
STATUS(ILLEGAL_INSTRUCTION);
STATUS(MEMORY_FAULT);
SAME(ST_IMAGE_FORMAT_UNSUPPORTED, HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
SAME(ST_IMAGE_SIZE_UNSUPPORTED, HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED);
SAME(ST_IMAGE_PITCH_UNSUPPORTED, HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED);
SAME(ST_SAMPLER_DESCRIPTOR_UNSUPPORTED, HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);

SAME(QUEUE_MULTI, HSA_QUEUE_TYPE_MULTI);
SAME(QUEUE_SINGLE, HSA_QUEUE_TYPE_SINGLE);
SAME(QUEUE_COOPERATIVE, HSA_QUEUE_TYPE_COOPERATIVE);
SAME(FEATURE_KERNEL_DISPATCH, HSA_AGENT_FEATURE_KERNEL_DISPATCH);
SAME(PROFILE_FULL, HSA_PROFILE_FULL);
SAME(DEVICE_GPU, HSA_DEVICE_TYPE_GPU);
SAME(EXT_IMAGES, HSA_EXTENSION_IMAGES);
SAME(EXT_LOADER, HSA_EXTENSION_AMD_LOADER);
SAME(EXT_AQLPROFILE, HSA_EXTENSION_AMD_AQLPROFILE);
SAME(SEGMENT_GROUP, HSA_AMD_SEGMENT_GROUP);
SAME(FLAG_KERNARG, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
SAME(FLAG_FINE, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
SAME(FLAG_COARSE, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
SAME(COND_LT, HSA_SIGNAL_CONDITION_LT);
SAME(COND_GTE, HSA_SIGNAL_CONDITION_GTE);
SAME(WAIT_ACTIVE, HSA_WAIT_STATE_ACTIVE);
SAME(PACKET_VENDOR, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
SAME(PACKET_DISPATCH, HSA_PACKET_TYPE_KERNEL_DISPATCH);
SAME(PACKET_BARRIER_AND, HSA_PACKET_TYPE_BARRIER_AND);
SAME(PACKET_AGENT_DISPATCH, HSA_PACKET_TYPE_AGENT_DISPATCH);
SAME(PACKET_BARRIER_OR, HSA_PACKET_TYPE_BARRIER_OR);
SAME(HEADER_BARRIER, 1 << HSA_PACKET_HEADER_BARRIER);
SAME(FORMAT_BARRIER_VALUE, HSA_AMD_PACKET_TYPE_BARRIER_VALUE);
SAME(ATTRIBUTE_GPU_ONLY, HSA_AMD_SIGNAL_AMD_GPU_ONLY);
SAME(ATTRIBUTE_IPC, HSA_AMD_SIGNAL_IPC);
SAME(SIGNAL_DOORBELL, AMD_SIGNAL_KIND_DOORBELL);
SAME(SIGNAL_LEGACY_DOORBELL, AMD_SIGNAL_KIND_LEGACY_DOORBELL);
SAME(POINTER_LOCKED, HSA_EXT_POINTER_TYPE_LOCKED);
SAME(POINTER_IPC, HSA_EXT_POINTER_TYPE_IPC);
SAME(FAULT_NOT_PRESENT, HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
SAME(FAULT_READ_ONLY, HSA_AMD_MEMORY_FAULT_READ_ONLY);
SAME(FAULT_NO_EXECUTE, HSA_AMD_MEMORY_FAULT_NX);

SIZE(struct aql_queue, hsa_queue_t);
AT(struct aql_queue, base, hsa_queue_t, base_address);
AT(struct aql_queue, doorbell, hsa_queue_t, doorbell_signal);
AT(struct aql_queue, size, hsa_queue_t, size);
AT(struct aql_queue, id, hsa_queue_t, id);
SIZE(struct amd_queue, amd_queue_t);
AT(struct amd_queue, write_index, amd_queue_t, write_dispatch_id);
AT(struct amd_queue, read_index, amd_queue_t, read_dispatch_id);
AT(struct amd_queue, group_aperture_hi, amd_queue_t, group_segment_aperture_base_hi);
AT(struct amd_queue, private_aperture_hi, amd_queue_t, private_segment_aperture_base_hi);
AT(struct amd_queue, max_cu_id, amd_queue_t, max_cu_id);
AT(struct amd_queue, read_index_offset, amd_queue_t, read_dispatch_id_field_base_byte_offset);
AT(struct amd_queue, scratch_descriptor, amd_queue_t, scratch_resource_descriptor);
AT(struct amd_queue, properties, amd_queue_t, queue_properties);
AT(struct amd_queue, inactive_signal, amd_queue_t, queue_inactive_signal);
SIZE(struct amd_signal, amd_signal_t);
AT(struct amd_signal, value, amd_signal_t, value);
AT(struct amd_signal, mailbox, amd_signal_t, event_mailbox_ptr);
AT(struct amd_signal, event_id, amd_signal_t, event_id);
AT(struct amd_signal, start_ts, amd_signal_t, start_ts);
AT(struct amd_signal, end_ts, amd_signal_t, end_ts);
AT(struct amd_signal, queue, amd_signal_t, queue_ptr);
SIZE(union packet, hsa_kernel_dispatch_packet_t);
#define PACKET(member, theirs, their_member)                                                                 \
    SAME(offsetof(union packet, member), offsetof(theirs, their_member))
PACKET(dispatch.setup, hsa_kernel_dispatch_packet_t, setup);
PACKET(dispatch.workgroup, hsa_kernel_dispatch_packet_t, workgroup_size_x);
PACKET(dispatch.grid, hsa_kernel_dispatch_packet_t, grid_size_x);
PACKET(dispatch.private_size, hsa_kernel_dispatch_packet_t, private_segment_size);
PACKET(dispatch.group_size, hsa_kernel_dispatch_packet_t, group_segment_size);
PACKET(dispatch.kernel_object, hsa_kernel_dispatch_packet_t, kernel_object);
PACKET(dispatch.kernarg, hsa_kernel_dispatch_packet_t, kernarg_address);
PACKET(dispatch.completion, hsa_kernel_dispatch_packet_t, completion_signal);
PACKET(barrier.dep, hsa_barrier_and_packet_t, dep_signal);
PACKET(barrier.completion, hsa_barrier_and_packet_t, completion_signal);
PACKET(agent.return_address, hsa_agent_dispatch_packet_t, return_address);
PACKET(agent.completion, hsa_agent_dispatch_packet_t, completion_signal);
PACKET(value.format, hsa_amd_barrier_value_packet_t, header.AmdFormat);
PACKET(value.signal, hsa_amd_barrier_value_packet_t, signal);
PACKET(value.value, hsa_amd_barrier_value_packet_t, value);
PACKET(value.mask, hsa_amd_barrier_value_packet_t, mask);
PACKET(value.cond, hsa_amd_barrier_value_packet_t, cond);
PACKET(value.completion, hsa_amd_barrier_value_packet_t, completion_signal);
SIZE(struct dim3, hsa_dim3_t);
SIZE(struct pitched, hsa_pitched_ptr_t);
AT(struct pitched, slice, hsa_pitched_ptr_t, slice);
SIZE(struct link_info, hsa_amd_memory_pool_link_info_t);
AT(struct link_info, coherent, hsa_amd_memory_pool_link_info_t, coherent_support);
AT(struct link_info, type, hsa_amd_memory_pool_link_info_t, link_type);
SIZE(struct pointer_info, hsa_amd_pointer_info_t);
AT(struct pointer_info, agent_base, hsa_amd_pointer_info_t, agentBaseAddress);
AT(struct pointer_info, host_base, hsa_amd_pointer_info_t, hostBaseAddress);
AT(struct pointer_info, owner, hsa_amd_pointer_info_t, agentOwner);
AT(struct pointer_info, global_flags, hsa_amd_pointer_info_t, global_flags);
SIZE(struct ipc_handle, hsa_amd_ipc_memory_t);
SIZE(struct svm_pair, hsa_amd_svm_attribute_pair_t);
SIZE(struct memory_event, hsa_amd_event_t);
AT(struct memory_event, agent, hsa_amd_event_t, memory_fault.agent);
AT(struct memory_event, address, hsa_amd_event_t, memory_fault.virtual_address);
AT(struct memory_event, reasons, hsa_amd_event_t, memory_fault.fault_reason_mask);
SIZE(struct times, hsa_amd_profiling_dispatch_time_t);
SIZE(struct segment_descriptor, hsa_ven_amd_loader_segment_descriptor_t);
AT(struct segment_descriptor, storage_offset, hsa_ven_amd_loader_segment_descriptor_t,
   code_object_storage_offset);
AT(struct segment_descriptor, base, hsa_ven_amd_loader_segment_descriptor_t, segment_base);
SIZE(struct image_descriptor, hsa_ext_image_descriptor_t);
AT(struct image_descriptor, format, hsa_ext_image_descriptor_t, format);
SIZE(struct image_data_info, hsa_ext_image_data_info_t);
SIZE(struct image_region, hsa_ext_image_region_t);
SIZE(struct sampler_descriptor, hsa_ext_sampler_descriptor_t);
