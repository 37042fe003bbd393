# 1 "foo.S"
start:
 s_nop 0
 s_nop 1
# 100 "dir/inc.h" 1 3
 s_nop 2
xx:
# 5 "foo.S" 2
 s_nop 3
# 7
#comment
# 9 "
 s_nop 4
yy:
