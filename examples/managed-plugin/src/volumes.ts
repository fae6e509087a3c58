import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import type { Methods } from './sdk/serve-plugin.js';

const directory = '/data/volumes';
const pathOf = (name: unknown): string => `${directory}/${String(name).replaceAll('/', '_')}`;
const volume = (name: string) => ({ Name: name, Mountpoint: pathOf(name) });

/** Volumes that are directories of the plugin's own. */
export const volumes: Methods = {
  'VolumeDriver.Capabilities': () => ({ Capabilities: { Scope: 'local' } }),
  'VolumeDriver.Create': async ({ Name }) => void (await mkdir(pathOf(Name), { recursive: true })),
  'VolumeDriver.Remove': async ({ Name }) => rm(pathOf(Name), { recursive: true }).then(() => ({})),
  'VolumeDriver.Path': ({ Name }) => ({ Mountpoint: pathOf(Name) }),
  'VolumeDriver.Mount': ({ Name }) => ({ Mountpoint: pathOf(Name) }),
  'VolumeDriver.Unmount': () => ({}),
  'VolumeDriver.List': async () => ({ Volumes: (await readdir(directory).catch(() => [])).map(volume) }),
  'VolumeDriver.Get': async ({ Name }) => {
    await stat(pathOf(Name)).catch(() => {
      throw new Error(`no such volume: ${Name}`);
    });
    return { Volume: volume(String(Name)) };
  },
};
