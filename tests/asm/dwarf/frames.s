 .set labels, 1
 .set eh, 1
 .include "dwarf/frames.inc"
