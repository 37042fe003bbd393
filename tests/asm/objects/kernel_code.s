// amd_kernel_code_t with every field, defaults, and values that come later.
.amdgpu_hsa_kernel first
first:
.amd_kernel_code_t
.end_amd_kernel_code_t
v_mov_b32 v9, s11
.long .kernel.vgpr_count, .kernel.sgpr_count
.long .option.machine_version_major, .option.machine_version_minor, .option.machine_version_stepping
.amdgpu_hsa_kernel second
.long .kernel.vgpr_count, .kernel.sgpr_count
second:
.amd_kernel_code_t
    amd_code_version_major = 1
    kernel_code_version_minor = 1
    amd_machine_kind = 2
    machine_version_major = 3
    machine_version_minor = 4
    machine_version_stepping = 5
    kernel_code_entry_byte_offset = 512
    kernel_code_prefetch_byte_size = 64
    granulated_workitem_vgpr_count = 5
    compute_pgm_rsrc1_sgprs = 6
    priority = 2
    float_mode = 0xc0
    priv = 1
    debug_mode = 1
    enable_sgpr_private_segment_wave_byte_offset = 1
    user_sgpr_count = 16
    enable_trap_handler = 1
    enable_sgpr_workgroup_id_x = 1
    enable_sgpr_workgroup_id_y = 1
    compute_pgm_rsrc2_tgid_z_en = 1
    enable_sgpr_workgroup_info = 1
    enable_vgpr_workitem_id = 2
    enable_exception_msb = 3
    granulated_lds_size = 17
    enable_exception = 127
    enable_sgpr_private_segment_buffer = 1
    enable_sgpr_dispatch_ptr = 1
    enable_sgpr_queue_ptr = 1
    enable_sgpr_kernarg_segment_ptr = 1
    enable_sgpr_dispatch_id = 1
    enable_sgpr_flat_scratch_init = 1
    enable_sgpr_private_segment_size = 1
    enable_sgpr_grid_workgroup_count_x = 1
    enable_sgpr_grid_workgroup_count_y = 1
    enable_sgpr_grid_workgroup_count_z = 1
    enable_ordered_append_gds = 1
    private_element_size = 3
    is_ptr64 = 1
    is_dynamic_callstack = 1
    is_debug_enabled = 1
    is_xnack_enabled = 1
    workitem_private_segment_byte_size = 100
    workgroup_group_segment_byte_size = 200
    gds_segment_byte_size = 300
    kernarg_segment_byte_size = 0x123456789
    workgroup_fbarrier_count = 400
    wavefront_sgpr_count = 11
    workitem_vgpr_count = 12
    reserved_vgpr_first = 13
    reserved_vgpr_count = 14
    reserved_sgpr_first = 15
    reserved_sgpr_count = 16
    debug_wavefront_private_segment_offset_sgpr = 17
    debug_private_segment_buffer_sgpr = 18
    kernarg_segment_alignment = 5
    group_segment_alignment = 6
    private_segment_alignment = 7
    call_convention = 3
    runtime_loader_kernel_symbol = 19
    max_scratch_backing_memory_byte_size = 20
.end_amd_kernel_code_t
s_endpgm
