import { Readable } from 'node:stream';
import { pack } from 'tar-stream';

/** Names of busybox's applets, read from the table in the binary without running it. */
export function appletNames(program: Buffer): readonly string[] {
  // The table is one run of NUL-ended names in alphabetical order, which begins with these.
  const start = ['[\0[[\0', '[\0acpid\0', '[\0'].map((head) => program.indexOf(head)).find((index) => index >= 0) ?? -1;
  if (start < 0) return [];
  const names: string[] = [];
  for (let at = start; ; ) {
    const end = program.indexOf(0, at);
    const name = program.toString('latin1', at, end);
    if (!/^[a-z0-9_.[-]{1,24}$/i.test(name) || name < (names.at(-1) ?? '')) break;
    names.push(name);
    at = end + 1;
  }
  return names;
}

const directories: readonly (readonly [name: string, mode: number])[] = [
  ['bin', 0o755],
  ['dev', 0o755],
  ['etc', 0o755],
  ['home', 0o755],
  ['lib', 0o755],
  ['proc', 0o755],
  ['root', 0o700],
  ['sbin', 0o755],
  ['sys', 0o755],
  ['tmp', 0o1777],
  ['usr', 0o755],
  ['usr/bin', 0o755],
  ['usr/sbin', 0o755],
  ['var', 0o755],
];

const files: Readonly<Record<string, string>> = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n',
  'etc/group': 'root:x:0:\ntty:x:5:\nusers:x:100:\nnobody:x:65534:\n',
};

/** A root file system with one static program, as a tar. Equal programs make equal bytes. */
export function busyboxRoot(program: Buffer): Readable {
  const tar = pack();
  const mtime = new Date(0);
  for (const [name, mode] of directories) tar.entry({ name, mode, mtime, type: 'directory' });
  for (const [name, text] of Object.entries(files)) tar.entry({ name, mode: 0o644, mtime }, text);
  tar.entry({ name: 'bin/busybox', mode: 0o755, mtime }, program);
  for (const applet of appletNames(program)) {
    if (applet !== 'busybox')
      tar.entry({ name: `bin/${applet}`, type: 'link', linkname: 'bin/busybox', mode: 0o755, mtime });
  }
  tar.finalize();
  return Readable.from(tar);
}
