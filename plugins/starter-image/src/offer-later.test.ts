import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '@gantry/core/driver';
import type { Context, Middleware } from '@gantry/core/http';
import type { EngineApi } from '@gantry/engine-api/service';
import type { ImageService, ImportRequest } from '@gantry/images/service';
import test, { type ExecutionContext } from 'ava';
import { offerLater } from './offer-later.js';

/** What there is of a busybox to make an image of, in a directory of the test's own. */
async function busybox(t: ExecutionContext): Promise<{ directory: string; program: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-starter-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = path.join(directory, 'busybox');
  await writeFile(program, Buffer.from('\x7fELF\0[\0[[\0ash\0sh\0\0', 'latin1'));
  return { directory, program };
}

test('nobody has to ask for the image', async (t) => {
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
    const offer = { program, reference: 'busybox:latest', directory, images, log: silentLogger };
    const hooks = offerLater(offer, { use: () => () => undefined } as unknown as EngineApi);
    const { signal } = new AbortController();
    t.teardown(() => hooks.stop?.(signal));
    void hooks.start?.(signal).then(() => hooks.ready?.(signal));
  });
  await t.notThrowsAsync(made);
});

test('requests of the first start wait for the image, a ping does not, and later starts have nothing to wait for', async (t) => {
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
  const offer = { program, reference: 'busybox:latest', directory, images, log: silentLogger };
  const signal = new AbortController().signal;
  const served: string[] = [];
  const ask = (path: string): Promise<void>[] =>
    [...hooks].map((hook) => hook({ path } as Context, async () => void served.push(path)));

  const cut = offerLater(offer, api);
  await cut.start?.(signal);
  const left = ask('/info');
  await cut.stop?.(signal);
  await Promise.all(left);
  t.deepEqual([...hooks, ...served.splice(0)], ['/info'], 'a daemon that stops keeps nobody waiting');

  const first = offerLater(offer, api);
  await first.start?.(signal);
  await first.ready?.(signal);
  const waiting = ask('/images/json');
  await Promise.all(ask('/_ping'));
  t.deepEqual(served, ['/_ping']);
  finish();
  await Promise.all(waiting);
  t.deepEqual(served, ['/_ping', '/images/json']);
  await first.stop?.(signal);
  t.is(hooks.size, 0);

  const second = offerLater(offer, api);
  await second.start?.(signal);
  t.is(hooks.size, 0);
});
