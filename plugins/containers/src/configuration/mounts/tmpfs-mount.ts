import { invalidArgument } from '@gantry/core/errors';
import { checkDestination } from './mount-paths.js';
import type { PreparedMount } from './prepared-mount.js';

const flags = new Set(
  (
    'defaults ro rw suid nosuid dev nodev exec noexec sync async dirsync mand nomand atime noatime diratime nodiratime ' +
    'relatime norelatime strictatime nostrictatime private rprivate shared rshared slave rslave unbindable runbindable'
  ).split(' '),
);

/** Options with a value, and what the value looks like. */
const valued: Readonly<Record<string, RegExp>> = {
  size: /^\d+[kmg%]?$/i,
  nr_blocks: /^\d+[kmg]?$/i,
  nr_inodes: /^\d+[kmg]?$/i,
  mode: /^[0-7]{1,5}$/,
  uid: /^\d+$/,
  gid: /^\d+$/,
  mpol: /^.+$/,
  huge: /^(?:never|always|within_size|advise)$/,
};

/** A file system in memory. `options` as mount(8) takes them. @throws EngineError `invalid-argument`. */
export function tmpfsMount(target: string, options: string): PreparedMount {
  for (const option of options.split(',').filter((word) => word !== '')) checkOption(option);
  return {
    type: 'tmpfs',
    source: '',
    destination: checkDestination(target),
    mode: options,
    readWrite: !options.split(',').includes('ro'),
    propagation: '',
    anonymous: false,
    copyUp: false,
  };
}

function checkOption(option: string): void {
  const [name = '', ...value] = option.split('=');
  const isGood = value.length === 0 ? flags.has(option) : (valued[name]?.test(value.join('=')) ?? false);
  if (!isGood) throw invalidArgument(`Tmpfs: Invalid tmpfs option "${option}"`);
}
