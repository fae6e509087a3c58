import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { silentLogger } from '@gantry/core/driver';
import type { ImageService, ImportRequest } from '@gantry/images/service';
import test, { type ExecutionContext } from 'ava';
import { StarterImage } from './starter-image.js';

async function harness(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-starter-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = path.join(directory, 'busybox');
  await writeFile(program, Buffer.from('\x7fELF\0[\0[[\0ash\0sh\0\0', 'latin1'));
  const requests: ImportRequest[] = [];
  const warnings: unknown[] = [];
  const images = {
    count: 0,
    async import(request: ImportRequest) {
      requests.push(request);
      await buffer(request.archive);
      return `sha256:${'a'.repeat(64)}`;
    },
  };
  const log = { ...silentLogger, warn: (facts: unknown) => void warnings.push(facts) };
  const create = (more: object = {}) =>
    new StarterImage(
      { program, reference: 'busybox:latest', ...more },
      { root: directory },
      images as unknown as ImageService,
      log,
    ).create(new AbortController().signal);
  const isDone = () =>
    access(path.join(directory, 'offered')).then(
      () => true,
      () => false,
    );
  return { directory, images, isDone, create, program, requests, warnings };
}

test('an engine without images gets the image once', async (t) => {
  const { directory, isDone, create, program, requests } = await harness(t);
  await create();
  t.like(requests[0], { reference: 'busybox:latest', comment: `made from ${program}` });
  t.deepEqual(requests[0]?.changes.at(-1), 'CMD ["sh"]');
  t.is(await readFile(path.join(directory, 'offered'), 'utf8'), 'busybox:latest\n');
  await create();
  t.is(requests.length, 1, 'a removed image is not made again');
  t.true(await isDone());
});

test('an engine that has images never gets the image', async (t) => {
  const { images, isDone, create, requests } = await harness(t);
  images.count = 1;
  await create();
  images.count = 0;
  await create();
  t.is(requests.length, 0);
  t.true(await isDone());
});

test('without the program the engine starts, and the image is made at a later start', async (t) => {
  const { isDone, create, requests, warnings } = await harness(t);
  await create({ program: '/nonexistent/busybox' });
  t.like(warnings, [{ event: 'starter-image.failed', program: '/nonexistent/busybox' }]);
  t.false(await isDone());
  await create();
  t.is(requests.length, 1);
});

test('a failing import does not fail the start', async (t) => {
  const { images, isDone, create, warnings } = await harness(t);
  images.import = () => Promise.reject(new Error('disk full'));
  await create();
  t.like(warnings, [{ error: { message: 'disk full' } }]);
  t.false(await isDone());
});
