import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { corpus } from './corpus/corpus.js';
import { type ImageFacts, readImageFacts } from './corpus/image-facts.js';
import { writeContext } from './corpus/write-context.js';
import { programs } from './testing/client-host.js';

/** A part of `npm run corpus`. */
const names = [
  'packages in a stage of their own',
  'triggers of a base',
  'a context that leaves files out',
  'copies over what is there',
  'heredocs of COPY',
  'exclusions of copies',
  'permissions of copies',
];

test('builds make the images that another engine made of the same files', async (t) => {
  const daemon = await startDaemon(t);
  const expected = JSON.parse(await readFile(path.join(programs, 'corpus.json'), 'utf8')) as Record<string, ImageFacts>;
  for (const each of corpus.filter(({ name }) => names.includes(name))) {
    const directory = path.join(daemon.directory, 'contexts', each.name);
    await mkdir(directory, { recursive: true });
    await writeContext(directory, each);
    const tar = spawn('tar', ['--create', '--directory', directory, '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const progress = await daemon.client.buildImage(tar.stdout, { t: 'corpus' });
    await new Promise((resolve, reject) => {
      daemon.client.modem.followProgress(progress, (error, lines) => (error === null ? resolve(lines) : reject(error)));
    });
    t.deepEqual(await readImageFacts(daemon.client, 'corpus'), expected[each.name], each.name);
  }
});
