a:
 .long 4
