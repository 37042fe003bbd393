a: .fill b-a
b:
