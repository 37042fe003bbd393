# Symbols as literals of 64 bits: their relocations, and what the assembler knows itself.
    s_add_nc_u64 s[0:1], s[0:1], foo@rel64+4
    s_add_nc_u64 s[0:1], foo, s[0:1]
    s_mov_b64 s[2:3], foo@abs64-8
    s_mov_b64 s[2:3], here
    s_mov_b64 s[2:3], there-here
    s_cselect_b64 s[2:3], s[4:5], foo@rel64
    s_mov_b32 s2, foo@rel32@lo+4
here:
    s_nop 0
there:
    s_endpgm
