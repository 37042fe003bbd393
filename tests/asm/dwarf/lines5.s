; Version 5 by its root file, with checksums and embedded source (DW-39).
	.file 0 "/src/dir" "a.c" md5 0x00112233445566778899aabbccddeeff source "int a;\nint b;\n"
	.file 1 "inc" "b.h" md5 0x10112233445566778899aabbccddeeff source "x\ty"
	.file 2 "/src/dir" "c.h" md5 0x5 source ""
	.file 3 "inc" "d.h" md5 0xffffffffffffffffffffffffffffffff source "x\ty"
f:
	.loc 0 3 5 prologue_end
	s_nop 0
	.loc 1 7 2
	s_nop 0
	s_nop 0
	.loc 2 300 2 discriminator 1
	.loc 3 1
	s_endpgm
