 s_branch .Lend
 .space .Lc-.Lb
.La:
 s_nop 1
 .p2align 4
.Lend:
 s_nop 2
.Lb: .zero 260
.Lc:
x = .Lc - .La
 .long x, .Lc-.La
 .long .-.Lb
