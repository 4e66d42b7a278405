#!/usr/bin/env python3
# mutation.py - changes the code in one place at a time and sees whether a test notices.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     tests/mutation/mutation.py                all mutants of scope.txt
#     tests/mutation/mutation.py -s 4           a fixed quarter of them, chosen by a hash
#     tests/mutation/mutation.py -s 4 -d 2      the second third of this quarter; -d 1 and -d 3: the others
#     tests/mutation/mutation.py tree.h         those of a header; `tree.h sooth_tree_check`: of a function
#     tests/mutation/mutation.py -l tree.h      only lists them
#
# A mutant is a header with one change: another comparison, another operator, a condition that is negated or
# left out, a constant one more or one less, a statement or `return` left out, two arguments swapped. It is
# compiled with the tests that scope.txt names, by tcc, which takes a twentieth of a second. It is killed
# when a test fails, crashes or does not end. What survives is built once more with gcc's sanitizers, which
# see what is read beyond an array. What survives that as well is a place that no test guards, unless
# explained.txt says why the change changes nothing. What no compiler takes does not count.
import argparse, concurrent.futures, functools, glob, hashlib, os, queue, re, resource, shutil, subprocess
import sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEADERS = os.path.join(ROOT, "include", "sooth")
SANITIZED = ["gcc", "-O0", "-g0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             "-Werror=incompatible-pointer-types", "-Werror=int-conversion"]

TOKEN = re.compile(
    r"(?P<space>(?:\s|/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:\\\n|[^\n])*|\\\n)+)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>(?:0[xX][0-9a-fA-F]+(?:p[-+]?\d+)?|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)[uUlLfF]*)"
    r"|(?P<name>\w+)"
    r"|(?P<sign><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)", re.S | re.M)

OTHERS = {  # what stands instead of a sign between two values
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!=", "<=", ">="], "!=": ["==", "<", ">"], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "<<": [">>"], ">>": ["<<"],
    "&": ["|"], "|": ["&"], "^": ["|"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "<<=": [">>="], ">>=": ["<<="], "^=": ["|="], "|=": ["&="], "&=": ["|="], "%=": ["/="]}
OPENING, CLOSING = "([{", ")]}"
WORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "sizeof", "break",
         "continue"}
TYPES = {"const", "static", "double", "float", "int", "char", "unsigned", "void", "struct", "size_t"}
ENDS = {"(", "[", "{", ";", ",", "?", ":", "=", "return", "&&", "||"}  # of a condition, to either side


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)
        self.match = None  # of a bracket: where the other one is
        self.within = ""   # the innermost bracket around it


def tokens_of(source, start, end):
    tokens, stack = [], []
    for m in TOKEN.finditer(source, start, end):
        if m.lastgroup == "space":
            continue
        token = Token(m.lastgroup, m.group(), m.start())
        if token.text in OPENING:
            stack.append(len(tokens))
        elif token.text in CLOSING and token.kind == "sign":
            token.match = stack.pop()
            tokens[token.match].match = len(tokens)
        token.within = tokens[stack[-1]].text if stack and stack[-1] < len(tokens) else ""
        tokens.append(token)
    return tokens


def functions_of(source):
    """name -> (start, end) of the body of each function, and of each macro that makes one."""
    found = {}
    head = r"^(?:SOOTH_API|SOOTHI_LOCAL|SOOTHI_HOT)\b[^;{}]*?\b(\w+)\([^;{}]*\)\s*\{"
    for m in re.finditer(head, source, re.M):
        line_end = source.find("\n", m.end())
        end = line_end if source[line_end - 1] == "}" else source.index("\n}", m.end() - 1) + 2
        found[m.group(1)] = (m.end() - 1, end)
    for m in re.finditer(r"^#define (\w+)\([^)]*\)\s*\\\n((?:[^\n]*\\\n)*[^\n]*\n)", source, re.M):
        found[m.group(1)] = (m.start(2), m.end(2))
    return found


def is_binary(tokens, i):
    before, after = tokens[i - 1], tokens[i + 1]
    return (before.kind in ("name", "number") and before.text not in WORDS or before.text in (")", "]")) and \
        after.text not in (")", ",", "*")


def is_room(tokens, i):
    """Is the number at i the size of an array that is declared?"""
    return i > 2 and tokens[i - 1].text == "[" and tokens[i - 2].kind == "name" and \
        tokens[i - 3].kind == "name" and tokens[i - 3].text not in WORDS


def constants(text):
    number, suffix = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[\d.]+(?:[eE][-+]?\d+)?)([uUlLfF]*)", text).groups()
    if re.search(r"[.eE]", number) and not number.lower().startswith("0x"):
        return ["(2 * %s)" % text] if float(number) else ["1" + text[1:]]
    value, form = int(number, 0), "0x%X%s" if number[:2] in ("0x", "0X") else "%d%s"
    return [form % (v, suffix) for v in (value + 1, value - 1) if v >= 0]


def operand(tokens, i, step):
    """The first and the last token of what stands left (step -1) or right (1) of the sign at i."""
    k = i + step
    while tokens[k].text not in ENDS - set("([{"):
        if tokens[k].match is not None:
            if (tokens[k].match - k) * step < 0:
                break
            k = tokens[k].match
        k += step
    return (k - step, i - step) if step > 0 else (k - step, i + step)


def changes(source, start, end):
    """(from, to, instead) for each mutant of a function."""
    tokens = tokens_of(source, start, end)
    for i, t in enumerate(tokens[1:-1], 1):
        before, after = tokens[i - 1], tokens[i + 1]
        if t.kind == "number":
            larger = 1 if before.text == "return" or is_room(tokens, i) else 0  # (2 is true, too)
            for other in constants(t.text)[larger:]:
                yield t.start, t.end, other
        elif t.text in OTHERS and t.kind == "sign" and is_binary(tokens, i):
            for other in OTHERS[t.text]:
                zero = t.text in ("==", "!=") and after.text in ("0", "0u", "SOOTH_OK")
                if not (zero and other in ("<=", ">")):
                    yield t.start, t.end, other  # (nothing here that is compared with 0 is below it)
        elif t.text in ("++", "--"):
            yield t.start, t.end, "--" if t.text == "++" else "++"
        elif t.text in ("!", "~"):
            yield t.start, t.end, ""
        if t.text in ("&&", "||"):
            for step in (-1, 1):
                far, near = operand(tokens, i, step)
                first, last = (far, near) if step < 0 else (i + 1, far)
                if step > 0 or tokens[first - 1].text not in ("&&", "||"):
                    yield tokens[first].start, tokens[last].end, "1" if t.text == "&&" else "0"
        if t.text in ("if", "while") and after.text == "(":
            inside = source[after.end:tokens[after.match].start]
            yield after.end, tokens[after.match].start, "!(%s)" % inside
        if t.kind == "name" and after.text == "(" and t.text not in WORDS | {"memset"} and before.text != "(":
            yield from swapped(source, tokens, i + 1)
        yield from left_out(tokens, i)


def swapped(source, tokens, opening):
    """Two neighbouring arguments of a call, the other way around."""
    close, k, first, pieces = tokens[opening].match, opening + 1, opening + 1, []
    while k <= close:
        if k == close or tokens[k].text == ",":
            if k > first:
                pieces.append((tokens[first].start, tokens[k - 1].end))
            first = k + 1
        elif tokens[k].match is not None:
            k = tokens[k].match
        k += 1
    for (a, b), (c, d) in zip(pieces, pieces[1:]):
        if source[a:b] != source[c:d]:
            yield a, d, source[c:d] + source[b:c] + source[a:b]


def left_out(tokens, i):
    """A statement, when one begins at i; not a declaration, and not the return that ends a function."""
    t, before = tokens[i], tokens[i - 1]
    begins = before.text in (";", "{", "}", "else") or \
        before.text == ")" and tokens[before.match - 1].text in ("if", "for", "while")
    if not begins or t.within != "{" or not (t.kind == "name" or t.text in ("*", "++", "--")) or \
            t.text in (WORDS - {"return", "break", "continue"}) | TYPES or re.search(r"_t$", t.text):
        return
    k = i + 1
    while tokens[k].text != ";":
        if tokens[k].text in CLOSING or tokens[k].text == ":" and k == i + 1:
            return
        k = (tokens[k].match or k) + 1
    if t.text != "return" or k < len(tokens) - 2:
        yield t.start, tokens[k].end, ";"


class Mutant:
    def __init__(self, header, function, source, change, tests):
        self.header, self.function, self.tests = header, function, tests
        a, b, instead = change
        self.text = source[:a] + instead + source[b:]
        line, end = source.rfind("\n", 0, a) + 1, source.find("\n", b)
        self.line = source.count("\n", 0, a) + 1
        self.old, self.new = (" ".join(text.replace("\\\n", " ").rstrip("\\").split())
                              for text in (source[line:end], source[line:a] + instead + source[b:end]))
        self.key = (header, function, self.old, self.new)

    def hash(self):
        return int(hashlib.sha256("\n".join(self.key).encode()).hexdigest()[:8], 16)

    def show(self):
        return "%s %s\n    - %s\n    + %s" % (self.header, self.function, self.old, self.new)


def scope_of(path):
    """Lines `HEADER TEST[.CASE...][,TEST...]: FUNCTION...`; a function may end with *, and `-name` leaves one
    out, of the functions as of the cases."""
    for line in open(path):
        line = line.split("#")[0].strip()
        if line:
            head, names = line.split(":")
            header, tests = head.split()
            yield header, tests.split(","), names.split()


def mutants_of(only):
    seen = set()
    for header, tests, names in scope_of(os.path.join(HERE, "scope.txt")):
        source = open(os.path.join(HEADERS, header)).read()
        functions = functions_of(source)
        if only and only[0] != header:
            continue
        for name in names:
            if not any(re.fullmatch(name.lstrip("-").replace("*", ".*"), f) for f in functions):
                sys.exit("mutation.py: %s has no function %s" % (header, name))
        for function, (start, end) in functions.items():
            matching = [n for n in names if re.fullmatch(n.lstrip("-").replace("*", ".*"), function)]
            if (header, function) in seen or not matching or any(n.startswith("-") for n in matching) or \
                    only[1:] and function not in only[1:]:
                continue
            seen.add((header, function))
            for change in changes(source, start, end):
                yield Mutant(header, function, source, change, tests)


def explained_of(path):
    """Records of a line `HEADER FUNCTION`, `- ...`, lines `+ ...`, and why these change nothing."""
    explained, where, old = {}, None, None
    for number, line in enumerate(open(path), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if not line.startswith(" "):
            where = tuple(text.split())
        elif text.startswith("- "):
            old, new = text[2:], []
        elif text.startswith("+ "):
            new.append(text[2:])
        else:
            for n in new:
                explained.setdefault(where + (old, n), text)
    return explained


@functools.cache
def source_of(name):
    """The path of a test program's source."""
    return glob.glob(os.path.join(ROOT, "tests", "**", "test_%s.c" % name), recursive=True)[0]


@functools.cache
def cases_of(test):
    """The cases that `test` or `test.case.case` or `test.-case` names; none: all of them."""
    name, *named = test.split(".")
    source = open(source_of(name)).read()
    every = re.findall(r"CHECK_RUN\((\w+)\);", source)
    for case in named:
        if case.lstrip("-") not in every:
            sys.exit("mutation.py: test_%s has no case %s" % (name, case))
    if any(case.startswith("-") for case in named):
        return [case for case in every if "-" + case not in named]
    return named


def run(command, seconds=None, cases=()):
    """Whether a command succeeds, within so many seconds of processor time; a test with these cases only."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    environment = dict(os.environ, CHECK_STOP="1", ASAN_OPTIONS="detect_leaks=0")
    environment.pop("SOOTH_SLOW", None)
    environment.pop("CHECK_ONLY", None)
    if cases:
        environment["CHECK_ONLY"] = " ".join(cases)
    return 0 == subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=ROOT,
                               stderr=subprocess.DEVNULL, env=environment,
                               preexec_fn=limits if seconds else None).returncode


def survives(folder, compiler, tests, seconds):
    """None: does not compile. Else whether all tests pass, in so many seconds each."""
    for test in tests:
        name = test.split(".")[0]
        program = os.path.join(folder, "test")
        if not run(compiler + ["-std=c11", "-I" + folder, "-Itests", "-Itests/harness", source_of(name),
                               "-o", program, "-lm", "-pthread"]):
            return None
        if not run([program], seconds[test], cases_of(test)):
            return False
    return True


def try_out(mutant, folders, explained, seconds, sanitize):
    folder = folders.get()
    try:
        path = os.path.join(folder, "sooth", mutant.header)
        original = os.readlink(path)
        os.unlink(path)
        with open(path, "w") as out:
            out.write(mutant.text)
        lives = survives(folder, ["tcc"], mutant.tests, seconds)
        if lives and mutant.key not in explained and sanitize:
            more = {test: 5 * s for test, s in seconds.items()}
            lives = survives(folder, SANITIZED, mutant.tests, more)
        os.unlink(path)
        os.symlink(original, path)
        return lives
    finally:
        folders.put(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-s", type=int, default=1, help="only a fixed one of so many")
    parser.add_argument("-d", type=int, choices=(1, 2, 3), help="of these, one of three thirds")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="at a time")
    parser.add_argument("-q", action="store_true", help="no second look with sanitizers")
    parser.add_argument("-r", metavar="FILE", action="append", help="only the survivors of an earlier output")
    parser.add_argument("-l", action="store_true", help="only list")
    parser.add_argument("only", nargs="*", help="a header, and functions of it")
    o = parser.parse_args()
    mutants = [m for m in mutants_of(o.only) if m.hash() % o.s == 0]
    if o.d:
        mutants = [m for m in mutants if m.hash() // o.s % 3 == o.d - 1]
    if o.r:
        wanted = {m.groups() for name in o.r for m in
                  re.finditer(r"survived: line \d+ of (\S+) (\S+)\n +- (.*)\n +\+ (.*)\n", open(name).read())}
        mutants = [m for m in mutants if m.key in wanted]
    if o.l:
        print("\n".join(m.show() for m in mutants))
        return 0
    explained, used = explained_of(os.path.join(HERE, "explained.txt")), set()
    count = {}  # header -> killed, explained, survived, not compiled
    with tempfile.TemporaryDirectory(prefix="sooth-mutation-") as top:
        folders = queue.Queue()
        for k in range(o.j):
            folder = os.path.join(top, str(k))
            for path in glob.glob(os.path.join(HEADERS, "**", "*.h"), recursive=True):
                link = os.path.join(folder, "sooth", os.path.relpath(path, HEADERS))
                os.makedirs(os.path.dirname(link), exist_ok=True)
                os.symlink(path, link)
            folders.put(folder)
        folder = folders.get()
        seconds = {}  # three times what a test takes unchanged
        for test in sorted({t for m in mutants for t in m.tests}):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            if not survives(folder, ["tcc"], [test], {test: 60}):
                sys.exit("mutation.py: test_%s fails by itself" % test)
            seconds[test] = 1 + int(3 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before))
        folders.put(folder)
        with concurrent.futures.ThreadPoolExecutor(o.j) as pool:
            sanitize = not o.q and shutil.which("gcc")
            tried = pool.map(lambda m: try_out(m, folders, explained, seconds, sanitize), mutants)
            for m, lives in zip(mutants, tried):
                row = count.setdefault(m.header, [0, 0, 0, 0])
                row[3 if lives is None else 0 if not lives else 1 if m.key in explained else 2] += 1
                if lives and m.key in explained:
                    used.add(m.key)
                elif lives:
                    print("survived: line %d of %s" % (m.line, m.show()), flush=True)
                elif m.key in explained and lives is not None:
                    print("explained, but killed: " + m.show(), flush=True)
    for header, row in count.items():
        print("%-12s %5d killed, %3d explained, %3d survived (%d more do not compile)" % (header, *row))
    if o.s == 1 and not o.only and not o.r:
        for key in explained.keys() - used:
            print("explained, but there is no such survivor: %s %s\n    - %s\n    + %s" % key)
    killed, fine, survived = (sum(row[i] for row in count.values()) for i in range(3))
    print("%d passed, %d failed" % (killed + fine, survived))
    return survived > 0


if __name__ == "__main__":
    sys.exit(main())
