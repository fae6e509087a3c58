import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { OciLinux, OciMount, OciSpec } from '@gantry/core/contracts';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import {
  capabilityName,
  defaultCapabilities,
  kernelFileSystems,
  maskedPaths,
  processCapabilities,
  readonlyPaths,
  sharedMemory,
} from '@gantry/lib-oci';
import type { PluginDirectories } from '../files/directories-of.js';
import type { PluginManifest } from '../manifest/parse-manifest.js';
import { hasNetwork } from '../manifest/privileges.js';
import { environmentOf } from './environment-of.js';
import { pluginDevices } from './plugin-devices.js';

const tmpfsOptions = ['nosuid', 'noexec', 'nodev'];

/** The OCI spec of a plugin: exactly what its manifest asks for. */
export async function pluginSpec(
  manifest: PluginManifest,
  directories: PluginDirectories,
  cgroupsPath: string | undefined,
): Promise<OciSpec> {
  const { args, entrypoint, linux, propagatedmount, user, workdir } = manifest;
  const { devices, rules } = await pluginDevices(manifest);
  const capabilities = [...new Set([...defaultCapabilities, ...linux.capabilities.map(capabilityName)])];
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid: user.uid, gid: user.gid },
      args: [...entrypoint, ...args.value],
      env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...environmentOf(manifest)],
      cwd: path.posix.join('/', workdir),
      capabilities: processCapabilities(capabilities, user.uid),
      noNewPrivileges: true,
    },
    root: { path: directories.rootfs },
    mounts: [...kernelFileSystems('ro'), sharedMemory(), ...(await ownMounts(manifest, directories))],
    linux: {
      namespaces: namespacesOf(manifest),
      devices,
      ...(cgroupsPath !== undefined && { cgroupsPath }),
      resources: { devices: rules },
      ...(propagatedmount !== '' && { rootfsPropagation: 'rshared' }),
      maskedPaths,
      readonlyPaths,
    },
  };
}

function namespacesOf({ ipchost, network, pidhost }: PluginManifest): OciLinux['namespaces'] {
  if (hasNetwork(network.type) && network.type !== 'host') {
    throw notImplemented(`network type "${network.type}" of plugins is not supported: it can be host or none`);
  }
  const types = ['mount', 'uts', ...(ipchost ? [] : ['ipc']), ...(pidhost ? [] : ['pid'])] as const;
  const own = network.type === 'host' ? types : [...types, 'network'];
  return own.map((type) => ({ type: type as OciLinux['namespaces'][number]['type'] }));
}

async function ownMounts(manifest: PluginManifest, directories: PluginDirectories): Promise<readonly OciMount[]> {
  const bind = (source: string, destination: string, ...options: string[]): OciMount => ({
    source,
    destination,
    type: 'bind',
    options: ['rbind', ...options],
  });
  const network =
    manifest.network.type === 'host' ? await existing('/etc/hosts', '/etc/resolv.conf') : ([] as readonly string[]);
  const { propagatedmount } = manifest;
  return [
    bind(directories.sockets, '/run/docker/plugins', 'rw', 'rprivate'),
    bind(directories.logs, '/run/docker/logging', 'rw', 'rprivate'),
    ...network.map((file) => bind(file, file, 'ro', 'rprivate')),
    ...(propagatedmount === '' ? [] : [bind(directories.propagated, propagatedmount, 'rw', 'rshared')]),
    ...manifest.mounts.map((mount): OciMount => {
      const { destination, options, source, type } = mount;
      if (type === 'tmpfs')
        return { destination, type, source: 'tmpfs', options: options.length > 0 ? options : tmpfsOptions };
      if (source === '') throw invalidArgument(`the plugin's mount at ${destination} has no source`);
      return { destination, type: 'bind', source, options: options.length > 0 ? options : ['rbind', 'rprivate'] };
    }),
  ];
}

async function existing(...files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map((file) =>
      stat(file).then(
        () => [file],
        () => [],
      ),
    ),
  );
  return found.flat();
}
