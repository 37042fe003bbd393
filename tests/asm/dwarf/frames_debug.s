 .cfi_sections .debug_frame
 .include "dwarf/frames.inc"
