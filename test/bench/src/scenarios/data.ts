import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { timed } from '../measurements.js';
import type { Scenario } from '../scenario.js';

const mebibytes = 128;
const line = 'a line as an application writes it to say what it is doing now';

const rate = (bytes: number, milliseconds: readonly number[]): readonly number[] =>
  milliseconds.map((each) => bytes / 2 ** 20 / (each / 1000));

export const logs: Scenario = {
  name: 'logs',
  rounds: 2,
  async run({ engine, containers }) {
    const script = `yes '${line}' | head -c ${mebibytes * 2 ** 20}`;
    const id = await containers.create({ Cmd: ['sh', '-c', script] });
    const [write, read, tail] = [[], [], []] as [number[], number[], number[]];
    await timed(write, async () => {
      await containers.start(id);
      await containers.wait(id);
    });
    const length = await timed(read, () => engine.drain(`/containers/${id}/logs?stdout=1&stderr=1`));
    await timed(tail, () => engine.drain(`/containers/${id}/logs?stdout=1&tail=10`));
    await containers.remove(id);
    return {
      'log write MiB/s': rate(mebibytes * 2 ** 20, write),
      'log read MiB/s': rate(length, read),
      'last 10 lines of a log ms': tail,
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
