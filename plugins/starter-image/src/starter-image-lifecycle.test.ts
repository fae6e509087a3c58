import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '@gantry/core/driver';
import type { Context, Middleware } from '@gantry/core/http';
import type { EngineApi } from '@gantry/engine-api/service';
import type { ImageService, ImportRequest } from '@gantry/images/service';
import test, { type ExecutionContext } from 'ava';
import { StarterImage } from './starter-image.js';
import { StarterImageLifecycle } from './starter-image-lifecycle.js';

const lifecycleOf = (
  { directory, program }: { directory: string; program: string },
  images: ImageService,
  api: EngineApi,
) =>
  new StarterImageLifecycle(
    api,
    new StarterImage({ program, reference: 'busybox:latest' }, { root: directory }, images, silentLogger),
  );

/** A fake busybox in a temporary directory. */
async function busybox(t: ExecutionContext): Promise<{ directory: string; program: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-starter-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = path.join(directory, 'busybox');
  await writeFile(program, Buffer.from('\x7fELF\0[\0[[\0ash\0sh\0\0', 'latin1'));
  return { directory, program };
}

test('the image is made without a request', async (t) => {
  const { directory, program } = await busybox(t);
  const made = new Promise<void>((resolve) => {
    const images = {
      count: 0,
      async import({ archive }: ImportRequest) {
        archive.resume();
        resolve();
        return `sha256:${'a'.repeat(64)}`;
      },
    } as unknown as ImageService;
    const api = { use: () => () => undefined } as unknown as EngineApi;
    const lifecycle = lifecycleOf({ directory, program }, images, api);
    t.teardown(() => lifecycle.stop());
    void lifecycle.start().then(() => lifecycle.ready());
  });
  await t.notThrowsAsync(made);
});

test('requests of the first start wait for the image except pings, and those of later starts do not', async (t) => {
  const { directory, program } = await busybox(t);
  let finish = (): void => undefined;
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const images = {
    count: 0,
    async import({ archive }: ImportRequest, { signal }: { signal?: AbortSignal } = {}) {
      archive.resume();
      await Promise.race([slow, new Promise((_, reject) => signal?.addEventListener('abort', reject))]);
      return `sha256:${'a'.repeat(64)}`;
    },
  } as unknown as ImageService;
  const hooks = new Set<Middleware>();
  const api = {
    use: (_: string, middleware: Middleware) => {
      hooks.add(middleware);
      return () => hooks.delete(middleware);
    },
  } as unknown as EngineApi;
  const open = () => lifecycleOf({ directory, program }, images, api);
  const served: string[] = [];
  const ask = (path: string): Promise<void>[] =>
    [...hooks].map((hook) => hook({ path } as Context, async () => void served.push(path)));

  const stopped = open();
  await stopped.start();
  const pending = ask('/info');
  await stopped.stop();
  await Promise.all(pending);
  t.deepEqual([...hooks, ...served.splice(0)], ['/info'], 'stopping releases waiting requests');

  const first = open();
  await first.start();
  await first.ready();
  const waiting = ask('/images/json');
  await Promise.all(ask('/_ping'));
  t.deepEqual(served, ['/_ping']);
  finish();
  await Promise.all(waiting);
  t.deepEqual(served, ['/_ping', '/images/json']);
  await first.stop();
  t.is(hooks.size, 0);

  const second = open();
  await second.start();
  t.is(hooks.size, 0);
});
