import { cp } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { programs, startClientHost } from '../testing/client-host.js';
import { dockerOn } from '../testing/debian.js';

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

test('stack deploy makes an application of a compose file, changes it, and stack rm leaves nothing of it', async (t) => {
  const host = await startClientHost(t);
  const project = path.join(host.daemon.directory, 'project');
  await cp(path.join(programs, 'stack'), project, { recursive: true });
  const docker = await dockerOn(host, project);
  const list = async (...args: readonly string[]) => linesOf(await docker.succeed(...args));
  await docker.succeed('swarm', 'init', '--advertise-addr', '127.0.0.1');

  await docker.succeed('stack', 'deploy', '--compose-file', 'compose.yml', 'shop');
  const running = async () =>
    (await list('stack', 'services', '--format', '{{.Name}} {{.Replicas}}', 'shop')).toSorted();
  await eventually('all tasks run', async () => (await running()).join() === 'shop_reader 1/1,shop_web 2/2');
  await eventually('the reader has read the page by the alias', async () =>
    (await docker.succeed('service', 'logs', '--raw', 'shop_reader')).includes('kept secret\nset\n'),
  );
  t.deepEqual(await list('stack', 'ls', '--format', '{{.Name}} {{.Services}}'), ['shop 2']);
  const addresses = await list(
    'service',
    'inspect',
    '--format',
    '{{range .Endpoint.VirtualIPs}}{{.Addr}}{{end}}',
    'shop_web',
  );
  t.regex(addresses.join(), /^10\.58\.0\.\d+\/24$/);
  const plain = ['run', '--rm', '--network', 'shop_front', 'busybox', 'wget', '-q', '-O', '-', 'http://shop_web:8000/'];
  t.is(await docker.succeed(...plain), 'kept secret\nset\n');

  await docker.succeed('service', 'scale', '--detach', 'shop_web=3');
  await eventually('the third task runs', async () => (await running()).includes('shop_web 3/3'));
  await docker.succeed('stack', 'deploy', '--compose-file', 'compose.yml', 'shop');
  await eventually('the replicas of the file', async () => (await running()).includes('shop_web 2/2'));

  await docker.succeed('stack', 'rm', 'shop');
  await eventually('nothing of the stack is left', async () => {
    const left = await Promise.all([
      list('service', 'ls', '--quiet'),
      list('secret', 'ls', '--quiet'),
      list('config', 'ls', '--quiet'),
      list('network', 'ls', '--quiet', '--filter', 'name=shop_front'),
      list('ps', '--all', '--quiet'),
    ]);
    return left.flat().length === 0;
  });
  await docker.succeed('swarm', 'leave', '--force');
});
