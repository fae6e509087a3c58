import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { type ClientHost, programs } from './client-host.js';

/** Runs the session of docker-py with the modules of a directory, or those of the host. */
export async function expectDockerPy(t: ExecutionContext, host: ClientHost, modules?: string): Promise<void> {
  const output = await host.succeed('python3', [path.join(programs, 'docker_py.py')], {
    ...(modules !== undefined && { environment: { PYTHONPATH: modules } }),
  });
  t.deepEqual(JSON.parse(output), {
    apiVersion: '1.51',
    first: 'first\n',
    streams: 'out\nerr\n',
    error: [3, 'bad\n'],
    terminal: 'terminal\r\n',
    address: '10.55.0.7',
    exec: [4, 'given more\n/data\n'],
    demultiplexed: ['out\n', 'err\n'],
    processes: ['/sbin/docker-init -- sleep 1000', 'sleep 1000'],
    stats: 64 * 2 ** 20,
    archive: 'abc',
    connected: ['web'],
    paused: 'paused',
    committed: ['committed:v1'],
    exit: 137,
    events: ['create', 'start', 'die', 'destroy'],
    built: [['built:1'], true],
    buildError: "The command '/bin/sh -c false' returned a non-zero code: 1",
    loaded: true,
    history: 3,
    pruned: [['back', 'front'], null, ['data']],
    usage: ['BuildCache', 'Containers', 'Images', 'LayersSize', 'Volumes'],
  });
}
