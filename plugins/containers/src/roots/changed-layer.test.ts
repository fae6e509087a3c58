import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { archiveEnd, encodeEntry, paddingOf, plainEntry, TarReader } from '@gantry/lib-archive/tar';
import test from 'ava';
import { changedLayer } from './changed-layer.js';

function tarOf(files: Readonly<Record<string, string>>): Readable {
  const pieces = Object.entries(files).flatMap(([name, text]) => {
    const type = name.endsWith('/') ? 'directory' : 'file';
    const modified = { seconds: 1, nanoseconds: 5 };
    const entry = { ...plainEntry, name, type, mode: 0o755, size: text.length, modified } as const;
    return [encodeEntry(entry), Buffer.from(text), Buffer.alloc(paddingOf(text.length))];
  });
  return Readable.from([Buffer.concat([...pieces, archiveEnd])], { objectMode: false });
}

async function namesIn(layer: Readable | undefined): Promise<string[] | undefined> {
  if (layer === undefined) return undefined;
  const names: string[] = [];
  const reader = new TarReader({
    raw: () => undefined,
    payload: () => undefined,
    end: () => undefined,
    begin: ({ name }) => void names.push(name),
  });
  reader.push(await buffer(layer));
  reader.finish();
  return names;
}

const places = { 'dev/': '', 'etc/': '', 'etc/hosts': '', 'etc/resolv.conf': '', 'proc/': '', 'sys/': '' };

const unchanged = async (): Promise<boolean> => false;

test('a start that changed nothing else leaves no layer', async (t) => {
  t.is(await namesIn(await changedLayer(tarOf(places), unchanged)), undefined);
  t.is(await namesIn(await changedLayer(tarOf({}), unchanged)), undefined);
});

test('what else was changed is kept byte by byte', async (t) => {
  const files = { 'a/': '', 'a/b': 'x'.repeat(700), 'etc/': '', 'etc/passwd': 'root', z: '' };
  const layer = await changedLayer(tarOf(files), unchanged);
  t.deepEqual(layer && (await buffer(layer)), await buffer(tarOf(files)));
});

test('a directory stays when something besides the places changed in it', async (t) => {
  t.deepEqual(await namesIn(await changedLayer(tarOf({ ...places, b: 'x' }), unchanged)), ['b']);
  const files = { 'etc/': '', 'etc/group': 'g', 'etc/hosts': '', 'proc/': '' };
  t.deepEqual(await namesIn(await changedLayer(tarOf(files), unchanged)), ['etc/', 'etc/group']);
});

test('a file with content at such a place is kept', async (t) => {
  t.deepEqual(await namesIn(await changedLayer(tarOf({ 'etc/': '', 'etc/hosts': 'text' }), unchanged)), [
    'etc/',
    'etc/hosts',
  ]);
});

test('a directory with files of the start alone is kept when it has another owner or mode', async (t) => {
  const asked: number[] = [];
  const layer = await changedLayer(tarOf(places), async (_path, { mode }) => asked.push(mode) > 0);
  t.deepEqual(await namesIn(layer), ['etc/']);
  t.deepEqual(asked, [0o755]);
});

test('directories that a start made above a mount point are left out, with all that is in them kept', async (t) => {
  const files = { 'run/': '', 'run/a/': '', 'run/a/b': '', 'srv/': '', 'srv/c/': '', 'srv/d': 'x' };
  const layer = await changedLayer(tarOf(files), unchanged, ['/run/a/b', '/srv/c']);
  t.deepEqual(await namesIn(layer), ['srv/', 'srv/d']);
  const changed = await changedLayer(tarOf({ 'run/': '', 'run/b': '' }), async (path) => path === '/run', ['/run/b']);
  t.deepEqual(await namesIn(changed), ['run/']);
});
