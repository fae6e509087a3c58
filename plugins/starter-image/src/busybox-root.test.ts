import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { extract } from 'tar-stream';
import { appletNames, busyboxRoot } from './busybox-root.js';

const program = Buffer.from('\x7fELF....\0junk\0[\0[[\0ash\0cat\0sh\0\0more\0', 'latin1');

test('applets are read from the table in the binary', (t) => {
  t.deepEqual(appletNames(program), ['[', '[[', 'ash', 'cat', 'sh']);
});

test('a program without the table has no applets', (t) => {
  t.deepEqual(appletNames(Buffer.from('nothing here')), []);
});

test('every applet is a hard link to the program', async (t) => {
  const links: string[] = [];
  const entries = extract();
  entries.end(await buffer(busyboxRoot(program)));
  for await (const entry of entries) {
    if (entry.header.type === 'link') links.push(`${entry.header.name} -> ${entry.header.linkname}`);
    entry.resume();
  }
  t.true(links.includes('bin/sh -> bin/busybox'));
  t.is(links.length, 5);
});

test('equal programs make equal bytes', async (t) => {
  t.deepEqual(await buffer(busyboxRoot(program)), await buffer(busyboxRoot(program)));
});
