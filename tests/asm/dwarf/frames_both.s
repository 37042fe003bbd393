 .cfi_sections .eh_frame, .debug_frame
 .set eh, 1
 .include "dwarf/frames.inc"
