import { forbidden } from '@gantry/core/errors';
import type { PluginManifest } from './parse-manifest.js';

/** Spec: plugin pull response. */
export interface Privilege {
  readonly Name: string;
  readonly Description: string;
  readonly Value: readonly string[];
}

/** What a plugin may access besides its own files. */
export function privilegesOf({ ipchost, linux, mounts, network, pidhost }: PluginManifest): readonly Privilege[] {
  const sources = mounts.filter(({ source, type }) => source !== '' && type !== 'tmpfs').map(({ source }) => source);
  const devices = linux.devices.filter(({ path }) => path !== '').map(({ path }) => path);
  return [
    privilege('network', 'permissions to access a network', hasNetwork(network.type) ? [network.type] : []),
    privilege('host ipc namespace', 'allow access to host ipc namespace', ipchost ? ['true'] : []),
    privilege('host pid namespace', 'allow access to host pid namespace', pidhost ? ['true'] : []),
    ...sources.map((source) => privilege('mount', 'host path to mount', [source])),
    ...devices.map((device) => privilege('device', 'host device to access', [device])),
    privilege('allow-all-devices', 'allow the plugin to access all devices', linux.allowalldevices ? ['true'] : []),
    privilege('capabilities', 'list of additional capabilities required', linux.capabilities),
  ].filter(({ Value }) => Value.length > 0);
}

/** What a version may access that is not granted, by a list or by an earlier version. */
function addedPrivileges(
  manifest: PluginManifest,
  granted: readonly Privilege[] | PluginManifest,
): readonly Privilege[] {
  const known = 'entrypoint' in granted ? privilegesOf(granted) : granted;
  const isGranted = (name: string, value: string) =>
    known.some(({ Name, Value }) => Name === name && Value.includes(value));
  return privilegesOf(manifest).flatMap((needed) => {
    const values = needed.Value.filter((value) => !isGranted(needed.Name, value));
    return values.length === 0 ? [] : [{ ...needed, Value: values }];
  });
}

/** @throws EngineError `forbidden` naming what the version needs and is not granted. */
export function checkPrivileges(
  name: string,
  manifest: PluginManifest,
  granted: readonly Privilege[] | PluginManifest,
): void {
  const added = addedPrivileges(manifest, granted).map(({ Name, Value }) => `${Name} [${Value.join(', ')}]`);
  if (added.length === 0) return;
  throw forbidden(`plugin "${name}" needs privileges that are not granted: ${added.join('; ')}`);
}

export const hasNetwork = (type: string): boolean => !['', 'none', 'null'].includes(type);

const privilege = (Name: string, Description: string, Value: readonly string[]): Privilege => ({
  Name,
  Description,
  Value,
});
