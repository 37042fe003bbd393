s_branch L
.rept 63
s_nop 0
.endr
L: s_nop 1
s_cbranch_cdbgsys L2
 s_branch 0x3f
s_branch 63
.rept 60
s_nop 0
.endr
L2:
s_subvector_loop_begin s0, L3
s_call_b64 s[0:1],L3
.rept 63
s_nop 0
.endr
L3: s_nop 2
