import { corpusCase as of } from './corpus-case.js';

/** One kind of instruction each. */
export const instructionCases = [
  of(
    'environment in its two forms',
    'FROM busybox\nENV A=1 B="two words" C=$A D=three\\ words\nENV E one two  three\nENV A=2 F=$A\nRUN env | grep -E "^[A-F]=" | sort > /env\n',
  ),
  of(
    'arguments of all scopes',
    'ARG A=global\nARG B=default\nFROM busybox\nARG A\nARG B=own\nARG C=c\nARG D\nENV C=environment\nRUN echo "$A $B $C [$D]" > /args\n',
    {},
    ['--build-arg', 'A=given', '--build-arg', 'D=d'],
  ),
  of('an argument in the name of a base', `ARG NAME=busy\nFROM \${NAME}box\nRUN echo "[$NAME]" > /name\n`),
  of(
    'forms of a variable',
    `FROM busybox\nENV A=a E=\nLABEL one=\${A:-x} two=\${E:-x} three=\${E:+x} four=\${A:+x} five=\${N-none} six=\\$A seven='$A'\n`,
  ),
  of(
    'patterns in a variable',
    `# syntax=docker/dockerfile:1\nFROM busybox\nENV P=/usr/local/lib/x.tar.gz\nLABEL a=\${P#*/} b=\${P##*/} c=\${P%.*} d=\${P%%.*} e=\${P/local/share}\n`,
  ),
  of(
    'labels',
    'FROM busybox\nLABEL a=1 "b c"="d e" f="multi \\\nline"\nLABEL a=2\nMAINTAINER someone <s@example.org>\n',
  ),
  of(
    'commands in both forms',
    'FROM busybox\nENTRYPOINT echo "shell form"\nCMD ["a", "b c"]\nENTRYPOINT ["/bin/echo", "exec form"]\n',
  ),
  of(
    'an entry point resets the command of the base',
    'FROM busybox AS a\nCMD ["base"]\nFROM a\nENTRYPOINT ["/bin/echo"]\n',
  ),
  of(
    'health checks',
    'FROM busybox\nHEALTHCHECK NONE\nHEALTHCHECK --interval=1m30s --timeout=2s --start-period=5s --start-interval=1s --retries=4 CMD ["true"]\n',
  ),
  of('another shell', 'FROM busybox\nSHELL ["/bin/sh", "-ec"]\nRUN echo "$0" > /shell\nCMD echo hello\n'),
  of(
    'ports, volumes and a stop signal',
    'FROM busybox\nEXPOSE 80 443/tcp 53/udp 8000-8002\nVOLUME /data /more\nVOLUME ["/list", "/data"]\nSTOPSIGNAL SIGINT\n',
  ),
  of(
    'working directories',
    'FROM busybox\nENV D=/from/env\nWORKDIR $D\nWORKDIR relative\nWORKDIR ../sibling\nRUN pwd > /pwd\nWORKDIR /\n',
  ),
  of(
    'copies of directories and patterns',
    'FROM busybox\nCOPY tree /all\nCOPY tree/*.txt tree/d /some/\nCOPY tree/?.txt /one/\nCOPY tree/a.txt /renamed\nCOPY tree/a.txt /into/\nCOPY tree/d/. /dot\n',
    { 'tree/a.txt': 'a', 'tree/b.txt': 'b', 'tree/c.md': 'c', 'tree/d/e/f': 'f' },
  ),
  of(
    'copies over what is there',
    'FROM busybox\nCOPY one /x/\nCOPY two /x/\nCOPY one/f /x/g\nCOPY two /x/\nRUN rm /x/f\nCOPY one /x/\n',
    { 'one/f': '1', 'one/d/a': 'a', 'two/f': '22', 'two/d/b': 'b' },
  ),
  of(
    'permissions of copies',
    '# syntax=docker/dockerfile:1\nFROM busybox\nCOPY --chmod=600 f /octal\nCOPY --chmod=0751 tree /tree\nCOPY --chmod=u=rwx,g=rx,o= f /symbolic\nCOPY f* /plain\n',
    { f: 'f', 'tree/a/b': 'b' },
  ),
  of(
    'exclusions of copies',
    '# syntax=docker/dockerfile:1\nFROM busybox\nCOPY --exclude=*.md --exclude=d/skip tree /tree/\nADD --exclude=*.txt tree /added/\n',
    { 'tree/a.txt': 'a', 'tree/b.md': 'b', 'tree/d/skip': 's', 'tree/d/keep': 'k' },
  ),
  of(
    'a linked copy',
    '# syntax=docker/dockerfile:1\nFROM busybox\nCOPY --link f /linked/f\nCOPY --link --chown=3:4 --chmod=640 f /linked/owned\n',
    { f: 'f' },
  ),
  of(
    'heredocs of RUN',
    '# syntax=docker/dockerfile:1\nFROM busybox\nENV V=value\nRUN <<EOF\nset -e\necho "$V" > /one\necho two > /two\nEOF\nRUN <<-"END"\n\techo "\\$V" > /three\n\tEND\nRUN cat <<A > /four && cat <<B >> /four\na $V\nA\nb\nB\nRUN <<EOF\n#!/bin/sh -x\necho $0 | cut -c1-4 > /five\nEOF\n',
  ),
  of(
    'heredocs of COPY',
    '# syntax=docker/dockerfile:1\nFROM busybox\nENV V=value\nCOPY <<a.txt <<"b.txt" /d/\nexpanded $V\na.txt\nraw $V\nb.txt\nCOPY --chmod=755 <<EOF /script.sh\n#!/bin/sh\necho hi\nEOF\n',
  ),
  of(
    'mounts of a step',
    '# syntax=docker/dockerfile:1\nFROM busybox AS other\nRUN echo o > /o\nFROM busybox\nRUN --mount=type=bind,from=other,source=/o,target=/m/o --mount=type=tmpfs,target=/t --mount=type=bind,target=/context,rw echo x > /t/x && echo y > /context/y && cat /m/o /context/f /context/y > /r\n',
    { f: 'f\n' },
  ),
  of('no network', '# syntax=docker/dockerfile:1\nFROM busybox\nRUN --network=none ls /sys/class/net > /interfaces\n'),
  of(
    'comments, continuations and empty lines',
    '# a comment\n\n  # indented\nFROM busybox\nRUN echo one \\\n  # inside\n  && echo two \\\n\n  > /x\nrun echo lower > /lower\n',
  ),
  of('another escape character', '# escape=`\nFROM busybox\nENV A=C:\\dir\nRUN echo one `\n  two > /x\n'),
  of(
    'platform arguments',
    'FROM --platform=$TARGETPLATFORM busybox\nARG TARGETPLATFORM\nARG BUILDPLATFORM\nARG TARGETARCH\nRUN echo "$TARGETPLATFORM $BUILDPLATFORM $TARGETARCH" > /platform\n',
  ),
  of('labels and arguments of the command line', 'FROM busybox\nARG V\nLABEL v=$V\n', {}, [
    '--label',
    'own=1',
    '--build-arg',
    'V=7',
  ]),
  of('another build file', 'FROM absent\n', { 'docker/app.Dockerfile': 'FROM busybox\nCOPY f /f\n', f: 'f' }, [
    '--file',
    'docker/app.Dockerfile',
  ]),
  of(
    'removed and changed files',
    'FROM busybox\nRUN mkdir /d && echo a > /d/a && echo b > /d/b\nRUN rm /d/a && chmod 600 /d/b && mkdir /d/a\nRUN rm -r /d && mkdir /d && touch /d/new\n',
  ),
  of(
    'links',
    'FROM busybox\nRUN mkdir /real && ln -s /real /link && ln -s absent /broken && touch /h1 && ln /h1 /h2\nCOPY f /link/\nFROM busybox\nCOPY --from=0 /link /copied\nCOPY --from=0 /link/f /real/\nCOPY --from=0 /h1 /h2 /hard/\n',
    { f: 'f' },
  ),
];
