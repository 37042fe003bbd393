# Runs a program on a terminal, answers its progress line with a line (or ANSWER), and says what became of that.
# usage: terminal.py COLUMNS PATTERN COMMAND...
import fcntl, os, pty, re, signal, struct, sys, termios

columns, pattern, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # background jobs ignore it
    os.execvp(command[0], command)
seen, answered = "", False
while True:
    try:
        more = os.read(terminal, 65536).decode()
    except OSError:  # the program has ended
        break
    if not more:
        break
    seen += more
    if not answered and re.search(pattern + r"[^\r]*\x1b\[K", seen):
        os.write(terminal, os.environ.get("ANSWER", "\n").encode())
        answered = True
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
lines = re.findall(r"\r(softwave:[^\r\n]*)\x1b\[K", seen)
cleared = not lines or "\r\x1b[K" in seen[seen.rindex(lines[-1]):]
print("exit", code, "lines", "some" if lines else "none", "widest", "fits" if all(len(x) < columns for x in lines) else "too wide",
      "cleared" if cleared else "still there", "seen" if answered else repr(seen))
