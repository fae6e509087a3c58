import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import engineApi from '@gantry/engine-api';
import images from '@gantry/images';
import { archive, state, storage } from '@gantry/memory-drivers';
import { startEngine } from '@gantry/test-engine';
import test from 'ava';
import starterImage from './index.js';

test('the first start makes an image, which clients see', async (t) => {
  const use = [engineApi, archive, state, storage, images];
  const engine = await startEngine(t, use);
  t.deepEqual((await engine.ask('GET', '/images/json')).json(), []);
  const program = path.join(engine.directory, 'busybox');
  await writeFile(program, Buffer.from('\x7fELF\0[\0[[\0ash\0sh\0\0', 'latin1'));
  const started = await startEngine(t, [...use, starterImage], { plugins: { 'starter-image': { program } } });
  const image = (await started.ask('GET', '/images/busybox/json')).json();
  t.like(image, { RepoTags: ['busybox:latest'], Comment: `made from ${program}` });
  t.like(image.Config, { Cmd: ['sh'] });
  await started.ask('DELETE', '/images/busybox');
  await started.restart();
  t.is((await started.ask('GET', '/images/busybox/json')).status, 404);
});
