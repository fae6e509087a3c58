/** A machine that the tests boot. */
export interface EmulatedHost {
  readonly name: string;
  /** The release of Debian whose kernel it boots. */
  readonly suite: string;
  /** The first process: a script that mounts the file systems, or systemd. */
  readonly init: 'script' | 'systemd';
  /** The short form, which `npm test` runs, boots it. */
  readonly inShortForm?: true;
}

/** Every machine. A further kernel is a further line. */
export const emulatedHosts: readonly EmulatedHost[] = [
  { name: 'debian-12', suite: 'bookworm', init: 'script', inShortForm: true },
  { name: 'debian-13', suite: 'trixie', init: 'systemd' },
];

/** Why tests of systemd are skipped. */
export const withoutSystemd = 'systemd is not the init system';
