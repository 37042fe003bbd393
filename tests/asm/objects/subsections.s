// Parts of a section, written in any order, joined by number.
.text 2
c: s_nop 2
   s_branch a
.text
a: s_nop 0
   s_branch c
.text 1
b: s_nop 1
   s_cbranch_scc0 c
.p2align 4
b2: s_nop 1
.subsection 3
s_endpgm
.subsection 0
s_nop 5
.data
.quad b2 - a, c - b
.long c - a
.quad b
.data 7
.long 7
.previous
.long 8
.pushsection .data, 3
.long 3
.popsection
.long 9
.data 1
x: .quad y
.data 2
y: .quad x
