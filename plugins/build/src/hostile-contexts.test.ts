import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { hostileArchives } from '@gantry/conformance';
import { eventually, type TestEngine } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { type Header, pack } from 'tar-stream';
import { startBuilds } from './testing/build-engine.js';

type Member = Partial<Header> & { readonly name: string; readonly content?: string | Buffer };

async function contextOf(...members: readonly Member[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of members) tar.entry(header, content);
  tar.finalize();
  return buffer(tar);
}

/** What a build answers, as one text: a refusal, or its output with the error in it. */
async function answerTo(engine: TestEngine, context: Buffer): Promise<string> {
  const headers = { 'Content-Type': 'application/x-tar' };
  const body = Readable.from([context], { objectMode: false });
  return (await engine.ask('POST', '/build?t=made', { headers, body })).text;
}

/** A directory with a file `secret`, and a check that it still is that. */
async function outside(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-build-outside-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'secret'), 'secret');
  const isUnharmed = async (name: string): Promise<void> => {
    t.deepEqual(await readdir(directory), ['secret'], name);
    t.is(await readFile(join(directory, 'secret'), 'utf8'), 'secret', name);
  };
  return { directory, isUnharmed };
}

async function contextsLeft(engine: TestEngine): Promise<readonly string[]> {
  const left = await readdir(join(engine.directory, 'data'), { recursive: true });
  return left.filter((path) => /contexts\/./.test(path));
}

test('a hostile build context is refused by the name of the entry, or stays in its directory', async (t) => {
  const engine = await startBuilds(t);
  const { directory, isUnharmed } = await outside(t);
  for (const { name, bytes, refusal = /Cannot locate specified Dockerfile/ } of hostileArchives(directory)) {
    t.regex(await answerTo(engine, bytes), refusal, name);
    await isUnharmed(name);
  }
  t.deepEqual(await contextsLeft(engine), []);
});

test('ADD extracts a hostile archive inside the image, or fails by the name of the entry', async (t) => {
  const engine = await startBuilds(t);
  const { directory, isUnharmed } = await outside(t);
  const instructions = { name: 'Buildfile', content: 'FROM base\nADD inner.tar /x/\n' };
  for (const { name, bytes, refusal } of hostileArchives(directory)) {
    const answer = await answerTo(engine, await contextOf(instructions, { name: 'inner.tar', content: bytes }));
    t.regex(
      answer,
      refusal === undefined ? /Successfully built/ : new RegExp(`Successfully built|${refusal.source}`),
      name,
    );
    await isUnharmed(name);
  }
  await eventually('contexts are removed', async () => (await contextsLeft(engine)).length === 0);
  t.pass();
});

test('a build file that is a link out of the context, a device, a FIFO or a directory is not read', async (t) => {
  const engine = await startBuilds(t);
  const { directory, isUnharmed } = await outside(t);
  const members: readonly Member[] = [
    { name: 'Buildfile', type: 'symlink', linkname: `${directory}/secret` },
    { name: 'Buildfile', type: 'symlink', linkname: '../../../../../../../../etc/passwd' },
    { name: 'Buildfile', type: 'symlink', linkname: 'Buildfile' },
    { name: 'Buildfile', type: 'fifo' },
    { name: 'Buildfile', type: 'character-device', devmajor: 1, devminor: 5 },
    { name: 'Buildfile', type: 'directory' },
  ];
  for (const member of members) {
    const answer = await answerTo(engine, await contextOf(member));
    const what = `${member.type} ${member.linkname ?? ''}: ${answer}`;
    t.regex(answer, /"message":|"error":/, what);
    t.notRegex(answer, /root:|secret/, what);
    await isUnharmed(what);
  }
  t.deepEqual(await contextsLeft(engine), []);
});
