import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import type { Engine } from '../engine.js';
import { timed } from '../measurements.js';
import type { Scenario } from '../scenario.js';

const mebibytes = 128;
const line = 'a line as an application writes it to say what it is doing now';

/** Requests of a kind that takes a millisecond. */
const repeated = 20;

const smallFiles = 10_000;

/** Resolves with the first byte of an answer that does not end by itself, and closes it. */
async function firstByte(engine: Engine, path: string): Promise<void> {
  const answer = await engine.open('GET', path);
  await once(answer, 'data');
  answer.destroy();
}

const rate = (bytes: number, milliseconds: readonly number[]): readonly number[] =>
  milliseconds.map((each) => bytes / 2 ** 20 / (each / 1000));

export const logs: Scenario = {
  name: 'logs',
  rounds: 2,
  async run({ engine, containers }) {
    const script = `yes '${line}' | head -c ${mebibytes * 2 ** 20}`;
    const id = await containers.create({ Cmd: ['sh', '-c', script] });
    const [write, read, ten, hundred, first] = [[], [], [], [], []] as number[][] as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ];
    await timed(write, async () => {
      await containers.start(id);
      await containers.wait(id);
    });
    const length = await timed(read, () => engine.drain(`/containers/${id}/logs?stdout=1&stderr=1`));
    for (let count = 0; count < repeated; count += 1) {
      await timed(ten, () => engine.drain(`/containers/${id}/logs?stdout=1&tail=10`));
      await timed(hundred, () => engine.drain(`/containers/${id}/logs?stdout=1&tail=100`));
    }
    await containers.remove(id);
    const running = await containers.create({ Cmd: ['sh', '-c', 'echo ready; sleep 600'] });
    await containers.start(running);
    const followed = `/containers/${running}/logs?stdout=1&follow=1`;
    // The first has to wait for the program, too.
    await firstByte(engine, followed);
    for (let count = 0; count < repeated; count += 1) await timed(first, () => firstByte(engine, followed));
    await containers.remove(running);
    return {
      'log write MiB/s': rate(mebibytes * 2 ** 20, write),
      'log read MiB/s': rate(length, read),
      'last 10 lines of a log ms': ten,
      'last 100 lines of a log ms': hundred,
      'first byte of a followed log ms': first,
    };
  },
};

async function archiveOf(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return buffer(archive);
}

export const archives: Scenario = {
  name: 'archives',
  rounds: 3,
  async run({ engine, containers }) {
    const bytes = mebibytes * 2 ** 20;
    const body = await archiveOf({ blob: Buffer.alloc(bytes, 'x') });
    const id = await containers.create({ Cmd: ['true'] });
    const [put, chunked, get, exported, commit] = [[], [], [], [], []] as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ];
    const type = 'application/x-tar';
    await timed(put, () => engine.bytes('PUT', `/containers/${id}/archive?path=/tmp`, { body, type }));
    const isChunked = true;
    await timed(chunked, () => engine.bytes('PUT', `/containers/${id}/archive?path=/tmp`, { body, type, isChunked }));
    const got = await timed(get, () => engine.drain(`/containers/${id}/archive?path=/tmp/blob`));
    const whole = await timed(exported, () => engine.drain(`/containers/${id}/export`));
    const image = await timed(commit, () =>
      engine.ask<{ Id: string }>('POST', `/commit?container=${id}`, { body: {} }),
    );
    await containers.remove(id);
    await engine.bytes('DELETE', `/images/${image.Id}?force=1`);
    return {
      'archive put, known length, MiB/s': rate(bytes, put),
      'archive put, chunked, MiB/s': rate(bytes, chunked),
      'archive get MiB/s': rate(got, get),
      'export MiB/s': rate(whole, exported),
      [`commit of ${mebibytes} MiB ms`]: commit,
    };
  },
};

/** What `docker cp` of a directory with many files sends and gets. */
export const smallFileArchives: Scenario = {
  name: 'small-files',
  rounds: 3,
  async run({ engine, containers }) {
    const names = Array.from({ length: smallFiles }, (_, number) => `file${number}`);
    const body = await archiveOf(Object.fromEntries(names.map((name) => [name, Buffer.from(`content of ${name}`)])));
    const id = await containers.create({ Cmd: ['true'] });
    const [put, get, remove] = [[], [], []] as [number[], number[], number[]];
    const place = `/containers/${id}/archive?path=/tmp`;
    await timed(put, () => engine.bytes('PUT', place, { body, type: 'application/x-tar', isChunked: true }));
    await timed(get, () => engine.drain(place));
    await timed(remove, () => containers.remove(id));
    return {
      [`archive put of ${smallFiles} files ms`]: put,
      [`archive get of ${smallFiles} files ms`]: get,
      [`remove of a container with ${smallFiles} files ms`]: remove,
    };
  },
};

export const build: Scenario = {
  name: 'build',
  rounds: 4,
  async run({ engine, image }) {
    const name = 'gantry-bench';
    const steps = ['ENV A=1', 'RUN echo one >/one', 'RUN echo two >/two', 'COPY file /file', 'RUN cat /file'];
    const Dockerfile = Buffer.from([`FROM ${image}`, ...steps, 'CMD ["true"]', ''].join('\n'));
    const body = await archiveOf({ Dockerfile, file: Buffer.from(String(Math.random())) });
    const run = (more: string) =>
      engine.bytes('POST', `/build?t=${name}&rm=1${more}`, { body, type: 'application/x-tar' });
    const [first, again] = [[], []] as [number[], number[]];
    const output = (await timed(first, () => run('&nocache=1'))).toString();
    if (!output.includes('Successfully built')) throw new Error(`the build failed: ${output.slice(-300)}`);
    await timed(again, () => run(''));
    await engine.bytes('DELETE', `/images/${name}?force=1`);
    return { 'build of 3 RUN steps ms': first, 'the same build from the cache ms': again };
  },
};
