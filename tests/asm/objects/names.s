// Names: bindings, visibility, versions, weak references, sizes, common blocks, relocations asked for.
.globl one
.type one,@function
one: s_nop 0
.size one, .-one
.symver one, one@VERS_1
.symver one, one_default@@VERS_2
.symver away, away@VERS_1
.symver renamed, renamed@@@VERS_3
.symver gone, gone@VERS_4, remove
.globl renamed
renamed: s_nop 1
gone: s_nop 2
.weakref weakly, target
.weakref weakly2, target2
.weakref unused, target3
.data
.quad one, away, renamed, gone, weakly, weakly2, target2
.weak w1, w2
.hidden h1
.internal h2
.protected h3
h1: .long 1
h2: .long 2
h3: .long 3
w1: .long 4
.local l
.comm l, 12, 3
.comm g, 40, 4
.lcomm ll, 7
.type object,@object
.type object2,STT_OBJECT
.type tls,%tls_object
.type common,#common
.type none,"notype"
.type ifunc,@gnu_indirect_function
.type unique,@gnu_unique_object
object: .long 5
object2 = object
.size object2, 99
tls: .long 6
ifunc: .long 7
unique: .long 8
.quad ifunc, unique
.set number, 42
.equiv number2, number * 2
sum = number + number2
later = .Lend - object
.equ alias, one + 4
.quad alias, later, sum
.Lend:
.text
.reloc 0, R_AMDGPU_NONE, object
.reloc 4, R_AMDGPU_REL32, outside + 8
.reloc 4, R_AMDGPU_NONE
.reloc 0, BFD_RELOC_64, one
.cg_profile one, renamed, 100
.cg_profile renamed, outside, 7
.addrsig
.addrsig_sym one
.addrsig_sym .Lend
.addrsig_sym never_named
.ident "the first"
.ident "the second"
.version "a note"
.extern nothing
