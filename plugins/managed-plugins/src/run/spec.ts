import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { OciLinux, OciMount, OciSpec } from '@gantry/core/contracts';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import type { PluginManifest } from '../manifest/manifest.js';
import { hasNetwork } from '../manifest/privileges.js';
import { pluginDevices } from './devices.js';
import { environmentOf } from './environment.js';
import type { PluginPlace } from './place.js';

/** What every plugin has, as every container does; its manifest adds to it. */
const commonCapabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FSETID',
  'FOWNER',
  'MKNOD',
  'NET_RAW',
  'SETGID',
  'SETUID',
  'SETFCAP',
  'SETPCAP',
  'NET_BIND_SERVICE',
  'SYS_CHROOT',
  'KILL',
  'AUDIT_WRITE',
].map((name) => `CAP_${name}`);

const careful = ['nosuid', 'noexec', 'nodev'];

const standardMounts: readonly OciMount[] = [
  { destination: '/proc', type: 'proc', source: 'proc', options: careful },
  {
    destination: '/dev',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
  },
  {
    destination: '/dev/pts',
    type: 'devpts',
    source: 'devpts',
    options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
  },
  { destination: '/sys', type: 'sysfs', source: 'sysfs', options: [...careful, 'ro'] },
  { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...careful, 'mode=1777', 'size=65536k'] },
];

const maskedPaths = ['acpi', 'asound', 'interrupts', 'kcore', 'keys', 'latency_stats', 'sched_debug', 'timer_list'];
const readonlyPaths = ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'];

/** The container a plugin runs in: exactly what its manifest asks for. */
export async function pluginSpec(manifest: PluginManifest, place: PluginPlace, cgroupsPath: string): Promise<OciSpec> {
  const { args, entrypoint, linux, propagatedmount, user, workdir } = manifest;
  const { devices, rules } = await pluginDevices(manifest);
  const capabilities = [...new Set([...commonCapabilities, ...linux.capabilities.map(capabilityOf)])];
  const effective = user.uid === 0 ? capabilities : [];
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid: user.uid, gid: user.gid },
      args: [...entrypoint, ...args.value],
      env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...environmentOf(manifest)],
      cwd: path.posix.join('/', workdir),
      capabilities: {
        bounding: capabilities,
        effective,
        permitted: effective,
        inheritable: [],
        ambient: [],
      },
      noNewPrivileges: true,
    },
    root: { path: place.rootfs },
    mounts: [...standardMounts, ...(await ownMounts(manifest, place))],
    linux: {
      namespaces: namespacesOf(manifest),
      devices,
      cgroupsPath,
      resources: { devices: rules },
      ...(propagatedmount !== '' && { rootfsPropagation: 'rshared' }),
      maskedPaths: [...maskedPaths.map((name) => `/proc/${name}`), '/sys/firmware'],
      readonlyPaths: readonlyPaths.map((name) => `/proc/${name}`),
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

async function ownMounts(manifest: PluginManifest, place: PluginPlace): Promise<readonly OciMount[]> {
  const bind = (source: string, destination: string, ...options: string[]): OciMount => ({
    source,
    destination,
    type: 'bind',
    options: ['rbind', ...options],
  });
  const network =
    manifest.network.type === 'host' ? await present('/etc/hosts', '/etc/resolv.conf') : ([] as readonly string[]);
  const { propagatedmount } = manifest;
  return [
    bind(place.sockets, '/run/docker/plugins', 'rw', 'rprivate'),
    bind(place.logs, '/run/docker/logging', 'rw', 'rprivate'),
    ...network.map((file) => bind(file, file, 'ro', 'rprivate')),
    ...(propagatedmount === '' ? [] : [bind(place.propagated, propagatedmount, 'rw', 'rshared')]),
    ...manifest.mounts.map((mount): OciMount => {
      const { destination, options, source, type } = mount;
      if (type === 'tmpfs')
        return { destination, type, source: 'tmpfs', options: options.length > 0 ? options : careful };
      if (source === '') throw invalidArgument(`the plugin's mount at ${destination} has no source`);
      return { destination, type: 'bind', source, options: options.length > 0 ? options : ['rbind', 'rprivate'] };
    }),
  ];
}

async function present(...files: readonly string[]): Promise<readonly string[]> {
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

function capabilityOf(text: string): string {
  const upper = text.toUpperCase();
  return upper.startsWith('CAP_') ? upper : `CAP_${upper}`;
}
