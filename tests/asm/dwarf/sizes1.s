 .space .Lc-.Lb
 .uleb128 .Lend-.La, .Lb-.Lc, 5, .La-.Lb
 .sleb128 .La-.Lend, .Lend-.La
.La:
 .zero 100
.Lend:
.Lb: .zero 260
.Lc:
 .long .Lc-.La
