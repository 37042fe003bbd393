// Code object V2: notes, the kernel's symbol, its metadata with every key.
.hsa_code_object_version 2,1
.hsa_code_object_isa
.hsa_code_object_isa 7,0,1,"AMD","AMDGPU"
.amdgpu_hsa_kernel k
.globl k
.p2align 8
k:
.amd_kernel_code_t
    enable_sgpr_kernarg_segment_ptr = 1
    is_ptr64 = 1
    compute_pgm_rsrc1_vgprs = 0
    compute_pgm_rsrc1_sgprs = 0
    kernarg_segment_byte_size = 16
    wavefront_sgpr_count = 2
    workitem_vgpr_count = 3
.end_amd_kernel_code_t
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_mov_b32 v0, 0x40490fdb
    s_waitcnt lgkmcnt(0)
    s_endpgm
.Lend:
.size k, .Lend-k
.amd_amdgpu_hsa_metadata
Version: [1, 0]
Printf:
  - '1:1:4:%d\n'
  - "3:1:8:%s there"
Kernels:
  - SymbolName: 'k@kd'
    Name: k
    Language: OpenCL C
    LanguageVersion: [2, 0]
    Attrs:
      WorkGroupSizeHint: [8, 16, 32]
      ReqdWorkGroupSize: [1, 2, 4]
      VecTypeHint: float4
      RuntimeHandle: handle
    Args:
      - Size: 1
        Align: 1
        ValueKind: ByValue
        ValueType: I8
        AccQual: Default
        TypeName: "char"
        Name: '5'
      - {Name: p, TypeName: 'float*', Size: 8, Align: 8, ValueKind: GlobalBuffer, ValueType: F32,
         AddrSpaceQual: Global, AccQual: ReadOnly, ActualAccQual: ReadWrite, IsConst: true, IsRestrict: true,
         IsVolatile: false, IsPipe: false, PointeeAlign: 4}
      - {Size: 0x8, Align: 8, ValueKind: HiddenGlobalOffsetX, ValueType: I64}
    CodeProps:
      KernargSegmentSize: 24
      GroupSegmentFixedSize: 24
      PrivateSegmentFixedSize: 16
      KernargSegmentAlign: 16
      WavefrontSize: 64
      MaxFlatWorkGroupSize: 256
      NumSGPRs: 5
      NumVGPRs: 0
      IsXNACKEnabled: true
      IsDynamicCallStack: false
      NumSpilledVGPRs: 2
    DebugProps:
      DebuggerABIVersion: [1, 0]
      ReservedNumVGPRs: 4
      ReservedFirstVGPR: 11
      PrivateSegmentBufferSGPR: 65535
  - Name: other
    SymbolName: 'other@kd'
    Language: HIP
.end_amd_amdgpu_hsa_metadata
