 .text
 .cfi_sections .debug_frame
f:
 .cfi_startproc
 .cfi_signal_frame
 .cfi_def_cfa 64, 0
 s_nop 0
 .cfi_def_cfa_offset 16
 .zero 4*100
 .cfi_adjust_cfa_offset 8
 .cfi_adjust_cfa_offset -100
 .zero 4*300
 .cfi_def_cfa_register s33
 .cfi_offset v40, 4
 .cfi_offset s40, -400
 .cfi_offset 5, 12
 .cfi_offset 5, 13
 .cfi_offset 5, -13
 .cfi_rel_offset s4, 8
 .cfi_val_offset s5, 8
 .cfi_val_offset s5, -8
 .zero 4*70000
 .cfi_register s30, s31
 .cfi_restore s5
 .cfi_restore v5
 .cfi_same_value s6
 .cfi_undefined pc
 .cfi_undefined s100
 .cfi_remember_state
 s_nop 0
 .cfi_restore_state
 .cfi_escape 0x0f, 1, 0x30, -1, 300
 .cfi_window_save
 .cfi_llvm_def_aspace_cfa s32, 0, 6
 s_nop 0
 .cfi_endproc
g:
 .cfi_startproc simple
 s_nop 0
 .cfi_return_column 1700
 .cfi_endproc
h:
 .cfi_startproc
 .cfi_endproc
i:
 .cfi_startproc
 .cfi_endproc
 .section .text.z,"ax",@progbits
 .cfi_startproc
 s_nop 0
 .cfi_def_cfa_offset 1
 .section .text.q,"ax",@progbits
 .cfi_startproc
 s_nop 0
 .cfi_endproc
 .section .text.z,"ax",@progbits
 s_nop 0
 .cfi_endproc
 .data
