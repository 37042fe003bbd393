f:
 .cfi_startproc
 s_nop 0
 .cfi_offset v1, 8
 .cfi_offset s1, -8
 .cfi_restore s101
 .cfi_restore 16
 .cfi_endproc
