import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, type SwarmNode, startManagers } from '@gantry/test-nodes';
import test from 'ava';
import { programs } from '../testing/client-host.js';
import { clients } from '../testing/debian.js';

const run = promisify(execFile);

/** Docker's CLI at one of the engines. */
async function dockerAt({ daemon }: SwarmNode, ...args: readonly string[]): Promise<string> {
  const { programs: directory, dockerConfig } = await clients();
  const environment = { DOCKER_CONFIG: dockerConfig, DOCKER_HOST: `unix://${daemon.socket}` };
  const { stdout } = await run(path.join(directory, 'docker'), args, {
    cwd: path.join(programs, 'stack-of-nodes'),
    env: { ...process.env, ...environment },
    timeout: 60_000,
  });
  return stdout;
}

const replicasOf = async (engine: SwarmNode): Promise<string> => {
  const shown = await dockerAt(engine, 'stack', 'services', '--format', '{{.Name}} {{.Replicas}}', 'shop');
  return shown.split('\n').filter(Boolean).toSorted().join();
};

/** Resolves when the page answers at every one of the nodes, asked from each of them. */
async function untilReachable(engines: readonly SwarmNode[]): Promise<void> {
  for (const engine of engines) {
    for (const { address } of engines) {
      await eventually(`the page at ${address}, for ${engine.address}`, async () => {
        const page = await engine
          .run('timeout', '2', 'busybox', 'wget', '-q', '-O', '-', `http://${address}:8080/`)
          .catch(() => '');
        return page === 'kept secret\n';
      });
    }
  }
}

test('an application of a compose file is spread over five nodes, reachable on each, and survives the loss of any one', async (t) => {
  t.timeout(900_000);
  const { engines } = await startManagers(t, 3, 2);
  const [first] = engines as [SwarmNode];
  await dockerAt(first, 'stack', 'deploy', '--compose-file', 'compose.yml', 'shop');
  await eventually(
    'all tasks run',
    async () => (await replicasOf(first)) === 'shop_agent 5/5,shop_web 6/6 (max 3 per node)',
  );
  await untilReachable(engines);

  for (const lost of engines) {
    const others = engines.filter((engine) => engine !== lost);
    const [asked] = others as [SwarmNode];
    const began = performance.now();
    await lost.kill();
    // Its agent is not to run elsewhere: there is one on each node.
    await eventually('the tasks run elsewhere', async () => {
      const shown = await replicasOf(asked).catch(() => '');
      return /shop_agent 4\/[45],shop_web 6\/6/.test(shown);
    });
    await untilReachable(others);
    t.log(`without ${lost.address}: whole after ${Math.round(performance.now() - began)} ms`);
    await lost.daemon.restart();
    await eventually('the node is back', async () => /shop_agent 5\/5/.test(await replicasOf(asked).catch(() => '')));
    await untilReachable(engines);
  }

  await dockerAt(first, 'stack', 'rm', 'shop');
  const left = () => Promise.all(engines.map((engine) => dockerAt(engine, 'ps', '--all', '--quiet')));
  t.true(await eventually('nothing of the stack runs', async () => (await left()).join('') === ''));
});
