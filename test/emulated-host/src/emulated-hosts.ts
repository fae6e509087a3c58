/** Why tests of systemd are skipped. */
export const withoutSystemd = 'systemd is not the init system';

/** Why tests of limited layers are skipped. Project quotas of directories need Linux 5.14. */
export const withoutQuotas = 'no project quotas';

/** Why tests of AppArmor and SELinux are skipped: a kernel has one of them. */
export const withoutAppArmor = 'no AppArmor';
export const withoutSELinux = 'no SELinux';

/** Why the test of SMB volumes is skipped. The kernel's server came with Linux 5.15. */
export const withoutSmbServer = 'no SMB server in the kernel';

/** The server of Linux 6.1 dereferences null when a file is opened (smb2_open, opinfo_put), and hangs from then on. */
export const crashingSmbServer = "the kernel's SMB server crashes";

/** Why tests of what only an ordinary user does are skipped where the engine is that of root. */
export const withoutUser = 'only for an ordinary user';

/** Outcomes for ordinary users, whose tests show that the engine answers clearly what takes root of the host. */
export const refused = 'refused';
export const unconfined = 'unconfined';

/** A machine that the tests boot. */
export interface EmulatedHost {
  readonly name: string;
  /** The release of Debian whose kernel it boots. */
  readonly suite: string;
  /** The first process: a script that mounts the file systems, or systemd. */
  readonly init: 'script' | 'systemd';
  /** The file system of the data root. */
  readonly disk: 'ext4' | 'xfs';
  /** What confines processes; AppArmor by default. */
  readonly security?: 'selinux';
  /** Whose engine it runs: that of an ordinary user, with a cgroup of the user's systemd; root's by default. */
  readonly user?: 'ordinary';
  /** Why tests are skipped there: what this kernel does not have. */
  readonly lacks?: readonly string[];
  /** The short form, which `npm test` runs, boots it. */
  readonly inShortForm?: true;
}

/** Every machine. A further kernel is a further line. */
export const emulatedHosts: readonly EmulatedHost[] = [
  { name: 'debian-12', suite: 'bookworm', init: 'script', disk: 'ext4', lacks: [crashingSmbServer], inShortForm: true },
  {
    ...{ name: 'debian-11', suite: 'bullseye', init: 'script', disk: 'ext4', security: 'selinux' },
    lacks: [withoutQuotas, withoutSmbServer],
  },
  { name: 'debian-13', suite: 'trixie', init: 'systemd', disk: 'xfs' },
  { name: 'debian-13-user', suite: 'trixie', init: 'systemd', disk: 'xfs', user: 'ordinary' },
];
