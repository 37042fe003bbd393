s_nop 0
 .file 1 "a.c"
 .loc 1 4
 s_nop 1
x:
