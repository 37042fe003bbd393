// Functions over expressions, of symbols that come later, resolved where they are used.
.set kernel.num_vgpr, max(10, callee.num_vgpr, other.num_vgpr)
.set kernel.uses_vcc, or(0, callee.uses_vcc)
.set kernel.scratch, 16 + max(callee.scratch)
.long max(1, 2, 3), or(1, 2, 4), max(-1, -5), or(1)
.long max(a, b), or(a, b, 8)
.long alignto(a, 16), alignto(17, 8), alignto(0, 4)
.long totalnumvgprs(a, b), extrasgprs(1, 1, 1), extrasgprs(0, 0, 0), extrasgprs(1, 0, 1), extrasgprs(c, c, 0)
.long occupancy(10, 4, 256, 8, 10, a, b), occupancy(8, 8, 512, 8, 8, 0, 100), occupancy(16, 8, 1024, 9, 16, 5, 129)
.long occupancy(10, 4, 256, 6, 10, 49, 24), occupancy(10, 4, 256, 7, 10, 101, 0), occupancy(1, 1, 1, 1, 1, 1, 1)
.long kernel.num_vgpr, kernel.uses_vcc, kernel.scratch
.set callee.num_vgpr, 33
.set other.num_vgpr, max(callee.num_vgpr + 1, 4)
.set callee.uses_vcc, 1
.set callee.scratch, end - begin
.set a, 7
.set b, 90
.set c, 1
begin: .zero 24
end:
