// For PAL alone: the ISA's name and pipeline metadata as YAML, with registers by number and name.
.amd_amdgpu_isa "amdgcn-unknown-amdpal--gfx900"
.amdgpu_pal_metadata
---
amdpal.version: [ 2, 6 ]
amdpal.pipelines:
  - .name: "a pipeline"
    .type: Cs
    .internal_pipeline_hash: [ 0x123456789abcdef0, 42 ]
    .registers:
      0x2e12 (COMPUTE_PGM_RSRC1): 0x00af02c0
      11795: 0x92
      "0x2e07": 1
    .shaders:
      .compute:
        .api_shader_hash: [ 1, 2 ]
        .hardware_mapping: [ .cs ]
    .hardware_stages:
      .cs:
        .entry_point: _amdgpu_cs_main
        .lds_size: 0
        .uses_uavs: true
        .scratch_memory_size: -1
        .ratio: 1.5
    .user_data_limit: 5
...
.end_amdgpu_pal_metadata
.text
_amdgpu_cs_main: s_endpgm
