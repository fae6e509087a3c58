import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { programs, startClientHost } from '../testing/client-host.js';
import { dockerOn } from '../testing/debian.js';

const linesOf = (text: string): readonly string[] => text.trim().split('\n').sort();

test('compose v2 starts an application in order, scales it, looks into it, watches it and removes it', async (t) => {
  const host = await startClientHost(t);
  const project = path.join(host.daemon.directory, 'project');
  await cp(path.join(programs, 'compose'), project, { recursive: true });
  const docker = await dockerOn(host, project);
  const compose = (...args: readonly string[]): Promise<string> => docker.succeed('compose', ...args);

  await compose('up', '--detach');
  await compose('up', '--detach', '--scale', 'worker=3');
  t.is(linesOf(await compose('ps', '--quiet', 'worker')).length, 3);
  await compose('scale', 'worker=2');
  t.is(linesOf(await compose('ps', '--quiet', 'worker')).length, 2);
  t.is((await docker.run('compose', 'ps', '--all', '--format', '{{.ExitCode}}', 'setup')).stdout, '0\n');

  const name = (await compose('exec', '--no-TTY', 'web', 'hostname')).trim();
  await eventually('the workers have read the page', async () => {
    const lines = linesOf(await compose('logs', '--no-color', '--no-log-prefix', 'worker'));
    return lines.filter((line) => line === name).length === 2 && lines.filter((line) => line === 'made').length === 2;
  });
  t.is(
    await compose(
      'exec',
      '--no-TTY',
      'web',
      'sh',
      '-c',
      'cat /run/secrets/database /etc/settings /written; cat /run/secrets/token',
    ),
    'kept secret\nset\nwritten here\nfrom the environment',
  );
  t.is(await compose('run', '--rm', 'tool'), 'tool\n');
  t.false((await compose('ps', '--services', '--all')).includes('tool'));
  const published = (await compose('port', 'web', '8000')).trim();
  t.is(
    (
      await host.succeed(process.execPath, [
        '-e',
        `fetch('http://${published}/').then((r) => r.text()).then(console.log)`,
      ])
    ).trim(),
    name,
  );
  const networks = JSON.parse(
    await docker.succeed('inspect', '--format', '{{json .NetworkSettings.Networks}}', 'shop-web-1'),
  );
  t.deepEqual(Object.keys(networks).sort(), ['shop_back', 'shop_front']);
  t.regex(networks.shop_back.IPAddress, /^10\.57\.0\./);

  const stop = new AbortController();
  const watching = docker.follow(stop.signal, 'compose', 'watch', '--no-up');
  t.teardown(async () => {
    stop.abort();
    await watching;
  });
  await eventually('a changed file in the container', async () => {
    await writeFile(path.join(project, 'source/second'), `${Date.now()}`);
    return (await docker.run('compose', 'exec', '--no-TTY', 'watched', 'test', '-s', '/source/second')).code === 0;
  });
  const startedAt = () => docker.succeed('inspect', '--format', '{{.State.StartedAt}}', 'shop-watched-1');
  const before = await startedAt();
  await writeFile(path.join(project, 'settings/second'), 'second');
  await eventually('a restart', async () => (await startedAt()) !== before);
  stop.abort();
  await watching;

  await compose('cp', 'web:/etc/settings', path.join(project, 'copied'));
  await compose('pause', 'worker');
  await compose('unpause', 'worker');
  await compose('restart', '--timeout', '1', 'worker');
  await compose('stop', 'worker');
  await compose('up', '--detach', '--wait', 'worker');
  t.is(JSON.parse(await compose('ls', '--format', 'json'))[0].Status, 'running(3)');
  await compose('down', '--volumes');
  t.is(await docker.succeed('ps', '--all', '--quiet'), '');
  t.is(await docker.succeed('volume', 'ls', '--quiet'), '');
  t.deepEqual(linesOf(await docker.succeed('network', 'ls', '--format', '{{.Name}}')), ['bridge', 'host', 'none']);
});
