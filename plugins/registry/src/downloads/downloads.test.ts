import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { Downloads } from './downloads.js';

test('a blob that is being removed is brought again, not handed out', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-downloads-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const content = Buffer.from('content');
  const hex = createHash('sha256').update(content).digest('hex');
  await mkdir(path.join(directory, 'blobs'));
  await writeFile(path.join(directory, 'blobs', hex), content);
  const downloads = new Downloads(
    { root: directory },
    {
      maxConcurrentDownloads: 3,
      attempts: 1,
      retryDelayMilliseconds: 1,
      keepPartialBytes: 0,
      keepPartialHours: 0,
    },
  );
  let asked = 0;
  const request = {
    blob: { digest: `sha256:${hex}`, size: content.length },
    open: async () => {
      asked += 1;
      throw new Error('asked for again');
    },
  };
  const { signal } = new AbortController();
  const held = await downloads.get(request, {}, signal);
  t.is(asked, 0, 'it was there');
  const gone = held.release(true);
  await t.throwsAsync(downloads.get(request, {}, signal), { message: 'asked for again' });
  await gone;
  t.is(asked, 1);
});
