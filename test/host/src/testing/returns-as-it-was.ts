import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { kernelFiles } from '@gantry/lib-linux/files';
import { eventually } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import type Docker from 'dockerode';
import { describeTree } from './describe-tree.js';
import { runIn, startContainer } from './run-in.js';

/** Data of every kind that a backup is to bring back. */
export async function fill(client: Docker): Promise<Docker.Container> {
  await client.createNetwork({ Name: 'inner', IPAM: { Config: [{ Subnet: '10.127.3.0/24' }] } } as never);
  await client.createVolume({ Name: 'data', Labels: { kept: 'yes' } });
  await client.createVolume({ Name: 'memory', DriverOpts: { type: 'tmpfs', device: 'tmpfs' } } as never);
  const container = await startContainer(client, {
    name: 'web',
    HostConfig: {
      Binds: ['data:/data', 'memory:/memory'],
      NetworkMode: 'inner',
      RestartPolicy: { Name: 'always' },
    },
  } as never);
  const { output, code } = await runIn(
    container,
    'set -e; cd /data; echo text > file; ln file link; ln -s file symbolic; mkfifo pipe; chown 7:8 file; chmod 2640 file;' +
      'cd /etc; rm passwd; rm -r network 2>/dev/null || true; mkdir network; echo own > network/own; echo lost > /memory/file',
  );
  if (code !== 0) throw new Error(output);
  return container;
}

/** What a container sees of that, and in what it differs from its image. */
export async function contentOf(container: Docker.Container) {
  const { code, output } = await runIn(
    container,
    'cd /data; stat -c "%n %u %g %a %h %F" * ; cat link symbolic; ls -1 /etc /etc/network; cat /etc/network/own; ip -4 -o address | grep -o 10.127.3',
  );
  const changes = (await container.changes()) as readonly { readonly Kind: number; readonly Path: string }[];
  return { code, output, changes: changes.map(({ Kind, Path }) => `${Kind} ${Path}`).toSorted() };
}

export const runsAgain = (container: Docker.Container): Promise<boolean> =>
  eventually('the container runs again', async () => {
    const { State } = await container.inspect();
    return State.Running && !State.Restarting;
  });

/** A file capability: of revision 3, which holds for containers with this id of root on the host. */
function netBindService(rootId: number): Buffer {
  const capability = Buffer.alloc(24);
  for (const [place, value] of [0x0300_0001, 1 << 10, 0, 0, 0, rootId].entries()) {
    capability.writeUInt32LE(value, 4 * place);
  }
  return capability;
}

/** What drivers keep of layers, containers and volumes; of what is not a file of those, without times. */
async function describeFiles(dataRoot: string): Promise<Readonly<Record<string, string>>> {
  const isKept = (name: string): boolean =>
    /^(storage|volume)-/.test(name) && !/\/(merged|work|tmp|memory)$/.test(name);
  const found = Object.entries(await describeTree(path.join(dataRoot, 'drivers'), isKept));
  const isOfContainers = (name: string): boolean => /\/(_data|diff)(\/|$)/.test(name);
  return Object.fromEntries(
    found.map(([name, text]) => [name, isOfContainers(name) ? text : text.replace(/modified \d+/, '')]),
  );
}

/** An engine whose data is lost between a backup and the restore. */
interface LosingEngine {
  readonly client: Docker;
  /** The id of its storage driver. */
  readonly storage: string;
  readonly dataRoot: string;
  /** The ids on the host of root of containers, and of the user 7. */
  readonly rootId: number;
  readonly userId: number;
  readonly file: string;
  command(...args: string[]): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Nothing runs any more; the data root is as it was. */
  lose(): Promise<void>;
  start(): Promise<void>;
}

/** Backs up an engine with data of every kind, loses it, and restores it: every file and what containers see is as it was. */
export async function returnsAsItWas(t: ExecutionContext, engine: LosingEngine): Promise<void> {
  t.timeout(300_000);
  const { client, dataRoot, file, rootId, storage, userId } = engine;
  const container = await fill(client);
  const volume = path.join(dataRoot, 'drivers/volume-local/volumes/data/_data');
  kernelFiles.setAttribute(path.join(volume, 'file'), 'user.note', Buffer.from('kept'));
  kernelFiles.setAttribute(path.join(volume, 'file'), 'security.capability', netBindService(rootId));
  t.is((await stat(path.join(volume, 'file'))).uid, userId);
  const before = await contentOf(container);
  t.is(before.code, 0, before.output);
  t.is((await engine.command('backup', file)).code, 0);
  await engine.lose();
  const files = await describeFiles(dataRoot);
  await rm(dataRoot, { recursive: true });
  t.is((await engine.command('restore', file)).code, 0);
  const restored = await describeFiles(dataRoot);
  t.deepEqual(Object.keys(restored).toSorted(), Object.keys(files).toSorted());
  const changed = Object.keys(files).filter((name) => restored[name] !== files[name]);
  t.deepEqual(
    changed.slice(0, 9).map((name) => `${name}: ${restored[name]}`),
    changed.slice(0, 9).map((name) => `${name}: ${files[name]}`),
  );
  t.true(Object.values(files).some((text) => text.includes('user.note')));
  t.true(Object.keys(files).some((name) => name.startsWith(`storage-${storage}/writables/`)));
  await engine.start();
  await runsAgain(container);
  t.deepEqual(await contentOf(container), before);
}
