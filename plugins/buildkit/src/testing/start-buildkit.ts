import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import archive from '@gantry/archive-worker-threads';
import build from '@gantry/build';
import containerLogs from '@gantry/container-logs';
import containers from '@gantry/containers';
import engineApi from '@gantry/engine-api';
import events from '@gantry/events';
import images from '@gantry/images';
import { ipam, log, network, runtime, sandbox, state, storage, volume } from '@gantry/memory-drivers';
import host from '@gantry/network-host';
import none from '@gantry/network-none';
import networks from '@gantry/networks';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import volumes from '@gantry/volumes';
import { pack } from 'tar-stream';
import buildkit from '../index.js';
import { BuildKitClient } from './buildkit-client.js';

const drivers = [archive, state, storage, runtime, sandbox, ipam, network, host, none, volume, log];
const areas = [engineApi, events, images, volumes, networks, containerLogs, containers, build, buildkit];

/** An engine with an image `base`, and a client of it. */
export async function startBuildKit(
  t: TestOwner,
  more: Parameters<typeof startEngine>[1] = [],
): Promise<{ readonly engine: TestEngine; readonly client: BuildKitClient }> {
  const engine = await startEngine(t, [...drivers, ...areas, ...more], { config: { defaults: { network: 'memory' } } });
  const tar = pack();
  tar.entry({ name: 'etc/passwd' }, 'root:x:0:0::/:/bin/sh\n');
  tar.finalize();
  const body = Readable.from([await buffer(tar)], { objectMode: false });
  const headers = { 'Content-Type': 'application/x-tar' };
  await engine.ask('POST', '/images/create?fromSrc=-&repo=base', { headers, body });
  return { engine, client: await BuildKitClient.open(t, engine.socketPath) };
}
