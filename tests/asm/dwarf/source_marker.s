 s_nop 0
# 5 "x.S"
 s_nop 1
