import { posix } from 'node:path';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import type { Mount } from '../../schema.js';
import { checkRange } from '../../validation/host-config-check.js';
import { anonymousVolume } from './anonymous-volume.js';
import { isPropagation } from './mount-mode.js';
import { checkDestination, checkVolumeName, cleanPath } from './mount-paths.js';
import type { PreparedMount } from './prepared-mount.js';
import { tmpfsMount } from './tmpfs-mount.js';

/** Reads one of HostConfig.Mounts. @throws EngineError `invalid-argument` saying which type of mount is wrong in what. */
export function parseMount(mount: Mount, volumeDriver: string): PreparedMount {
  const type = mount.Type || 'volume';
  try {
    checkOptions(mount, type);
    checkConsistency(mount);
    switch (type) {
      case 'bind':
        return bindMount(mount);
      case 'volume':
        return volumeMount(mount, volumeDriver);
      case 'tmpfs':
        return memoryMount(mount);
      case 'image':
        return imageMount(mount);
      default:
        throw invalidArgument('mount type unknown');
    }
  } catch (cause) {
    throw invalidArgument(`invalid mount config for type "${type}": ${messageOf(cause)}`, { cause });
  }
}

const optionsOfTypes = {
  bind: 'BindOptions',
  volume: 'VolumeOptions',
  tmpfs: 'TmpfsOptions',
  image: 'ImageOptions',
} as const;

/** Refuses options of another type. */
function checkOptions(mount: Mount, type: string): void {
  for (const [owner, field] of Object.entries(optionsOfTypes)) {
    if (owner !== type && mount[field] !== undefined) throw invalidArgument(`field ${field} must not be specified`);
  }
}

/** What Docker Desktop takes; on Linux all of them are one. */
const consistencies = new Set(['', 'default', 'consistent', 'cached', 'delegated']);

function checkConsistency({ Consistency = '' }: Mount): void {
  if (!consistencies.has(Consistency)) throw invalidArgument(`Consistency: "${Consistency}" is not supported`);
}

/** @throws EngineError `invalid-argument` for a path that leaves what it is in. */
function subpathOf({ Subpath = '' }: { readonly Subpath?: string } = {}): Pick<PreparedMount, 'subpath'> {
  if (Subpath === '') return {};
  const normal = posix.normalize(Subpath);
  if (posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../')) {
    throw invalidArgument(`subpath must be a relative path within the volume: "${Subpath}"`);
  }
  return { subpath: Subpath };
}

function bindMount(mount: Mount): PreparedMount {
  const { Source = '', Target = '', ReadOnly = false, BindOptions = {} } = mount;
  const destination = checkDestination(Target);
  if (Source === '') throw invalidArgument('field Source must not be empty');
  if (!Source.startsWith('/')) throw invalidArgument(`invalid mount path: '${Source}' mount path must be absolute`);
  const propagation = BindOptions.Propagation || 'rprivate';
  if (!isPropagation(propagation)) throw invalidArgument(`invalid propagation mode: ${propagation}`);
  return {
    type: 'bind',
    source: cleanPath(Source),
    destination,
    mode: '',
    readWrite: !ReadOnly,
    propagation,
    anonymous: false,
    copyUp: false,
    ...(BindOptions.CreateMountpoint !== true && { sourceMustExist: true as const }),
    ...(BindOptions.NonRecursive === true && { nonRecursive: true as const }),
  };
}

function volumeMount(mount: Mount, volumeDriver: string): PreparedMount {
  const { Source: name = '', Target = '', ReadOnly = false, VolumeOptions = {} } = mount;
  const destination = checkDestination(Target);
  if (name === '' && ReadOnly) throw invalidArgument('must not set ReadOnly mode when using anonymous volumes');
  const subpath = subpathOf(VolumeOptions);
  if (name === '' && subpath.subpath !== undefined) {
    throw invalidArgument('must not set Subpath when using anonymous volumes');
  }
  const driver = VolumeOptions.DriverConfig?.Name || volumeDriver;
  if (name !== '') checkVolumeName(name, driver);
  const { Labels: labels, DriverConfig } = VolumeOptions;
  return {
    ...anonymousVolume(destination, driver),
    ...(name !== '' && { name }),
    anonymous: name === '',
    readWrite: !ReadOnly,
    // The path has to exist, so what is there is meant.
    copyUp: VolumeOptions.NoCopy !== true && subpath.subpath === undefined,
    ...subpath,
    ...(labels !== undefined && { volumeLabels: labels }),
    ...(DriverConfig?.Options !== undefined && { volumeOptions: DriverConfig.Options }),
  };
}

/** The files of an image, which are never written to. */
function imageMount({ Source: reference = '', Target = '', ImageOptions }: Mount): PreparedMount {
  const destination = checkDestination(Target);
  if (reference === '') throw invalidArgument('field Source must not be empty');
  return {
    type: 'image',
    source: '',
    destination,
    mode: '',
    readWrite: false,
    propagation: 'rprivate',
    anonymous: false,
    copyUp: false,
    image: { reference },
    ...subpathOf(ImageOptions),
  };
}

function memoryMount(mount: Mount): PreparedMount {
  const { Source = '', Target = '', ReadOnly = false, TmpfsOptions = {} } = mount;
  if (Source !== '') throw invalidArgument('field Source must not be specified');
  const { SizeBytes: size = 0, Mode: mode, Options: further = [] } = TmpfsOptions;
  checkRange('TmpfsOptions.SizeBytes', size, 0, Number.MAX_SAFE_INTEGER);
  checkRange('TmpfsOptions.Mode', mode, 0, 0o7777);
  const malformed = further.find(({ length }) => length < 1 || length > 2);
  if (malformed !== undefined) {
    throw invalidArgument(`TmpfsOptions.Options: ${JSON.stringify(malformed)} is not a name, or a name and a value`);
  }
  const options = [
    ...(ReadOnly ? ['ro'] : []),
    ...(size > 0 ? [`size=${size}`] : []),
    ...(mode === undefined || mode === 0 ? [] : [`mode=${mode.toString(8)}`]),
    ...further.map((option) => option.join('=')),
  ];
  return tmpfsMount(Target, options.join(','));
}
