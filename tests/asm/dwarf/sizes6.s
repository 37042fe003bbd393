a: .uleb128 b-a
 .zero 126
b:
