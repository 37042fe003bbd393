 .uleb128 d-c
 .zero 1
a: .zero 3
b:
 .if b-a == 3
 .long 77
 .endif
c: .zero 5
d:
