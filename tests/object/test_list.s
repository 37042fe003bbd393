// Code that test_list.c works on; see tests/piece.h.

// ---- source ----
.text
.type first,@function
first:
    s_nop 1
    s_branch first
.size first, .-first
.type _Z6secondi,@function
_Z6secondi:
    s_nop 2
    s_endpgm
.size _Z6secondi, .-_Z6secondi
