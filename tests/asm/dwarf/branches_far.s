.globl g
g: s_nop 1
 s_branch g
 s_cbranch_scc0 g
 s_branch g
