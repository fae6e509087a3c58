import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

interface DriverText {
  readonly version?: string;
  readonly kind?: 'volume' | 'log' | 'ipam';
  /** Members of the driver, which come before those it has anyway. */
  readonly members?: string;
  /** Of the body of `create`, before the driver is returned. */
  readonly create?: string;
}

const kinds = {
  volume: {
    point: 'VolumeDrivers',
    provides: 'volume/1.0',
    members: `capabilities: { scope: 'local', usage: false }, async create() {}, async remove() {}, async mount() { return '/'; },
      async unmount() {}, async get(name) { return { name, mountpoint: version }; },
      async list() {
        await tick();
        if (stopped) throw new Error('called after it was stopped');
        return [{ name: version, mountpoint: undefined }];
      },`,
  },
  log: {
    point: 'LogDrivers',
    provides: 'log/1.0',
    members: `capabilities: { read: true, worker: false, discards: false }, validate() {}, path: () => version, async remove() {},
      async open() {},
      async *read() {
        for (let page = 0; page < 3; page += 1) {
          await tick();
          if (stopped) throw new Error('called after it was stopped');
          yield version;
        }
      },`,
  },
  ipam: {
    point: 'IpamDrivers',
    provides: 'ipam/1.0',
    members: 'requestPool() {}, releasePool() {}, requestAddress() {}, releaseAddress() {},',
  },
};

/** Writes a package with a driver "loud" whose answers have its version, for tests. */
export async function writeDriver(
  directory: string,
  { version = '1.0.0', kind = 'volume', members = '', create = '' }: DriverText = {},
): Promise<string> {
  const { point, provides, members: usual } = kinds[kind];
  await mkdir(directory, { recursive: true });
  const gantry = { driver: { id: 'loud', provides } };
  const manifest = { name: `gantry-${kind}-loud`, version, type: 'module', exports: './index.js', gantry };
  await writeFile(path.join(directory, 'package.json'), JSON.stringify(manifest));
  const code = `
    import { setImmediate as tick } from 'node:timers/promises';
    import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
    import { ${point} } from '${import.meta.resolve('@gantry/core/contracts')}';
    const version = '${version}';
    const configSchema = Type.Object({ words: Type.Optional(Type.String()) }, { additionalProperties: false });
    export default {
      id: 'loud', provides: ${point}, configSchema,
      create(context) {
        let stopped = false;
        ${create}
        return { ${usual} async stop() { stopped = true; }, ${members} };
      },
    };`;
  await writeFile(path.join(directory, 'index.js'), code);
  return directory;
}
