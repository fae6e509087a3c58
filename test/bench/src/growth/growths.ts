import { concurrently } from '../containers.js';
import { EngineMemory } from '../engine-memory.js';
import { percentile, timed } from '../measurements.js';
import type { Subject } from '../scenario.js';
import type { Growth, GrowthPoint } from './growth.js';

/** The median duration of some calls, in milliseconds. */
async function medianMs(work: () => Promise<unknown>, times = 9): Promise<number> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) await timed(all, work);
  return percentile(all, 0.5);
}

const containers: Growth = {
  name: 'containers',
  most: 10_000,
  async *measure({ engine, containers: made }, sizes): AsyncGenerator<GrowthPoint> {
    const memory = engine.pid === undefined ? undefined : await EngineMemory.from(engine.pid);
    const ids: string[] = [];
    try {
      for (const size of sizes) {
        await concurrently(
          Array.from({ length: size - ids.length }, (_, n) => n),
          8,
          async () => {
            ids.push(await made.create({ Cmd: ['true'] }));
          },
        );
        const one = async (): Promise<void> => made.remove(await made.create({ Cmd: ['true'] }));
        yield {
          figure: 'list of all containers ms',
          size,
          value: await medianMs(() => engine.bytes('GET', '/containers/json?all=1')),
        };
        yield {
          figure: 'inspect of a container ms',
          size,
          value: await medianMs(() => engine.bytes('GET', `/containers/${ids[0]}/json`)),
        };
        yield { figure: 'create and remove one more ms', size, value: await medianMs(one) };
        if (memory !== undefined) yield { figure: 'memory MiB', size, value: await memory.now() };
      }
    } finally {
      await concurrently(ids, 8, (id) => made.remove(id));
    }
  },
};

async function commit({ engine, containers: made }: Subject, image: string, tag: string): Promise<string> {
  const { Id } = await engine.ask<{ Id: string }>('POST', '/containers/create', {
    body: { Image: image, Cmd: ['true'] },
  });
  const query = new URLSearchParams({ container: Id, repo: 'gantry-bench', tag });
  const committed = await engine.ask<{ Id: string }>('POST', `/commit?${query}`, { body: { Labels: { tag } } });
  await made.remove(Id);
  return committed.Id;
}

const remove = async ({ engine }: Subject, tags: readonly string[]): Promise<void> => {
  for (const tag of [...tags].reverse()) await engine.bytes('DELETE', `/images/gantry-bench:${tag}?force=1`);
};

const images: Growth = {
  name: 'images',
  most: 1000,
  async *measure(subject, sizes): AsyncGenerator<GrowthPoint> {
    const { engine, image } = subject;
    const tags: string[] = [];
    try {
      for (const size of sizes) {
        while (tags.length < size) {
          const tag = `i${tags.length}`;
          await commit(subject, image, tag);
          tags.push(tag);
        }
        yield { figure: 'list of images ms', size, value: await medianMs(() => engine.bytes('GET', '/images/json')) };
        yield {
          figure: 'inspect of an image ms',
          size,
          value: await medianMs(() => engine.bytes('GET', '/images/gantry-bench:i0/json')),
        };
      }
    } finally {
      await remove(subject, tags);
    }
  },
};

const layers: Growth = {
  name: 'layers of an image',
  most: 100,
  async *measure(subject, sizes): AsyncGenerator<GrowthPoint> {
    const { containers: made, engine } = subject;
    const tags: string[] = [];
    let top = subject.image;
    try {
      for (const size of sizes) {
        while (tags.length < size) {
          const tag = `l${tags.length}`;
          top = await commit(subject, top, tag);
          tags.push(tag);
        }
        yield {
          figure: 'create, start, wait, remove ms',
          size,
          value: await medianMs(async () => {
            const body = { Image: top, Cmd: ['true'], HostConfig: { NetworkMode: 'none' } };
            const { Id } = await engine.ask<{ Id: string }>('POST', '/containers/create', { body });
            await made.start(Id);
            await made.wait(Id);
            await made.remove(Id);
          }),
        };
      }
    } finally {
      await remove(subject, tags);
    }
  },
};

const events: Growth = {
  name: 'events',
  most: 10_000,
  async *measure({ engine, containers: made }, sizes): AsyncGenerator<GrowthPoint> {
    const since = Math.floor(Date.now() / 1000);
    let published = 0;
    const id = await made.create({ Cmd: ['true'] });
    try {
      for (const size of sizes) {
        for (; published < size; published += 1) {
          await engine.bytes('POST', `/containers/${id}/rename?name=gantry-bench-${published}`);
        }
        const until = Math.floor(Date.now() / 1000) + 1;
        await new Promise((resolve) => setTimeout(resolve, 1100));
        const filters = encodeURIComponent(JSON.stringify({ container: [id] }));
        const path = `/events?since=${since}&until=${until}&filters=${filters}`;
        yield { figure: 'read them again ms', size, value: await medianMs(() => engine.drain(path), 3) };
      }
    } finally {
      await made.remove(id);
    }
  },
};

const logBytes: Growth = {
  name: 'MiB of log',
  most: 1000,
  async *measure({ engine, containers: made }, sizes): AsyncGenerator<GrowthPoint> {
    for (const size of sizes) {
      const id = await made.create({
        Cmd: ['sh', '-c', `yes 'a line of the log of a program' | head -c ${size * 2 ** 20}`],
      });
      try {
        await made.start(id);
        await made.wait(id);
        yield {
          figure: 'last 10 lines ms',
          size,
          value: await medianMs(() => engine.drain(`/containers/${id}/logs?stdout=1&tail=10`)),
        };
      } finally {
        await made.remove(id);
      }
    }
  },
};

export const growths: readonly Growth[] = [containers, images, layers, events, logBytes];
