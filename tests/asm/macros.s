; Macros, repetitions, conditions
.macro put a, b=7, rest:vararg
 .long \a, \b
 .ifnb \rest
 .byte \rest
 .endif
l\@_\a: .byte \()\@
.endm
.data
put 1
put 2, 3
put 4, 5, 6, 7, 8
put b=9, a=10
.rept 3
 .byte 1
.endr
.irp x, 1, 2, 3
 .short \x
.endr
.irpc c, 789
 .byte \c
.endr
.macro outer n
 .if \n
  .macro inner_\n x
   .quad \x + \n
  .endm
  inner_\n 5
 .else
  .byte 0xff
 .endif
.endm
outer 1
outer 2
outer 0
.macro early x
 .byte \x
 .ifdef undefined_symbol
 .else
 .exitm
 .endif
 .byte 99
.endm
early 3
.ifc a b, a b
.byte 1
.elseif 1
.byte 2
.else
.byte 3
.endif
.ifeqs "x", "y"
.byte 1
.elseif 2 > 3
.byte 2
.else
.byte 3
.endif
.ifndef q
.set q, 4
.endif
.if q == 4
.byte q
.endif
1: .byte 1
.long 1b - 2f
2: .byte 2
1: .long 1b - 2b
