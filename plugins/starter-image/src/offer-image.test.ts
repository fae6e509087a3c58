import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { silentLogger } from '@gantry/core/driver';
import type { ImageService, ImportRequest } from '@gantry/images/service';
import test, { type ExecutionContext } from 'ava';
import { offerImage } from './offer-image.js';

async function bench(t: ExecutionContext) {
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
  const offer = (more: object = {}) =>
    offerImage(
      { program, reference: 'busybox:latest', directory, images: images as unknown as ImageService, log, ...more },
      new AbortController().signal,
    );
  const isOffered = () =>
    access(path.join(directory, 'offered')).then(
      () => true,
      () => false,
    );
  return { directory, images, isOffered, offer, program, requests, warnings };
}

test('an engine without images gets one, once in its life', async (t) => {
  const { directory, isOffered, offer, program, requests } = await bench(t);
  await offer();
  t.like(requests[0], { reference: 'busybox:latest', comment: `made from ${program}` });
  t.deepEqual(requests[0]?.changes.at(-1), 'CMD ["sh"]');
  t.is(await readFile(path.join(directory, 'offered'), 'utf8'), 'busybox:latest\n');
  await offer();
  t.is(requests.length, 1, 'one that was removed by its user does not come back');
  t.true(await isOffered());
});

test('an engine that has images is left alone, for good', async (t) => {
  const { images, isOffered, offer, requests } = await bench(t);
  images.count = 1;
  await offer();
  images.count = 0;
  await offer();
  t.is(requests.length, 0);
  t.true(await isOffered());
});

test('a host without the program starts all the same, and is offered the image later', async (t) => {
  const { isOffered, offer, requests, warnings } = await bench(t);
  await offer({ program: '/nonexistent/busybox' });
  t.like(warnings, [{ event: 'starter-image.left-out', program: '/nonexistent/busybox' }]);
  t.false(await isOffered());
  await offer();
  t.is(requests.length, 1);
});

test('an import that fails is no failure of the engine', async (t) => {
  const { images, isOffered, offer, warnings } = await bench(t);
  images.import = () => Promise.reject(new Error('disk full'));
  await offer();
  t.like(warnings, [{ reason: 'disk full' }]);
  t.false(await isOffered());
});
