import { chown, open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kernelFiles } from '@gantry/lib-linux/files';
import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { makeDockerRoot } from './testing/docker-root.js';
import { runIn } from './testing/run-in.js';

test('images, networks, volumes and containers of a stopped Docker are moved, and what cannot be is named', async (t) => {
  const daemon = await startDaemon(t);
  const { client, directory } = daemon;
  const root = path.join(directory, 'docker');
  const { image } = await makeDockerRoot(root);
  await chown(path.join(root, 'volumes/data/_data/file'), 7, 8);

  const database = await open(path.join(root, 'volumes/metadata.db'));
  kernelFiles.tryLock(database.fd);
  t.is((await daemon.command('migrate', root)).code, 1, 'Docker runs');
  await database.close();

  const { code, said } = await daemon.command('migrate', root);
  t.deepEqual(said.split('\n'), [
    `moved: image own:1: without own@sha256:${'1'.repeat(64)}, which a pull brings back`,
    'moved: network inner',
    'not moved: network ingress: it belongs to a swarm (scope swarm)',
    'moved: volume anonymous1',
    'moved: volume data',
    said.split('\n')[5] ?? '',
    'moved: volume memory',
    'moved: container web: it ran: start it when you like',
    said.split('\n')[8] ?? '',
    'left where it is: intermediate images of builds, 1',
    'left where it is: the build cache',
    'left where it is: the logs of containers',
    '6 moved, 0 there already, 3 not moved',
    '',
  ]);
  t.regex(said, /^not moved: volume far: the engine refuses it: .*elsewhere/m);
  t.regex(said, /^not moved: container eeeeeeeeeeee: .*config\.v2\.json is not JSON/m);
  t.is(code, 1);

  t.is((await client.getImage('own:1').inspect()).Id, image);
  const web = client.getContainer('web');
  const inspected = await web.inspect();
  t.like(inspected.Config, { Hostname: 'web', Image: 'own:1', Labels: { a: 'b' }, Env: ['OWN=1', 'FROM=docker'] });
  t.is(inspected.Image, image);
  await web.start();
  const seen = await runIn(
    web,
    'cat /etc/passwd /etc/old/*; ls /etc/second /etc/gone /etc/old/one; stat -c "%u %g %a" /data/file; cat /data/file /anonymous/kept',
  );
  for (const line of ['changed', 'new', '7 8 640', 'text', 'kept'])
    t.true(seen.output.split('\n').includes(line), seen.output);
  t.is(seen.output.match(/No such file/g)?.length, 3, seen.output);
  t.is((await web.inspect()).NetworkSettings.Networks.inner?.IPAddress, '10.127.5.7');
  t.like(await client.getNetwork('inner').inspect(), { Internal: true, Labels: { of: 'docker' } });
  t.deepEqual((await client.getVolume('data').inspect()).Labels, { kept: 'yes' });

  const again = await daemon.command('migrate', root);
  t.regex(again.said, /^0 moved, 6 there already, 3 not moved$/m);
});

test('a migration that was interrupted is finished by the next one, and objects of others are left alone', async (t) => {
  const daemon = await startDaemon(t);
  const { client, directory } = daemon;
  const root = path.join(directory, 'docker');
  await makeDockerRoot(root);
  await client.createVolume({ Name: 'data' });
  const first = await daemon.command('migrate', root);
  t.regex(first.said, /^not moved: volume data: the engine has another one of that name$/m);
  // As if the first one had ended after it made the container.
  await client.getVolume('memory').remove();
  const record = path.join(directory, 'data/plugins/migrate');
  const [name = ''] = await readdir(record);
  const file = path.join(record, name);
  const text = (await readFile(file, 'utf8')).replace('"container web": "done"', '"container web": "begun"');
  await writeFile(file, text);
  const before = (await client.getContainer('web').inspect()).Id;
  const second = await daemon.command('migrate', root);
  t.regex(second.said, /^moved: volume memory$/m);
  t.regex(second.said, /^moved: container web: /m);
  t.not((await client.getContainer('web').inspect()).Id, before);
});
