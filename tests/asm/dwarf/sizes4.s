 .bss
 .zero q2-q1
 .p2align 4
 q1:
 .zero 4
 q2:
