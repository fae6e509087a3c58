/** The part of a package.json that the rules read. */
export interface Manifest {
  readonly name?: string;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly files?: readonly string[];
  readonly exports?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly gantry?: { readonly driver?: unknown; readonly plugin?: unknown };
}

/** The role of a package: decides which packages may import it. */
type Role = 'core' | 'distribution' | 'driver' | 'library' | 'plugin' | 'test' | 'example';

export class WorkspacePackage {
  readonly name: string;
  readonly role: Role;

  constructor(
    /** `core`, `drivers/volume-local` … */
    readonly folder: string,
    readonly manifest: Manifest,
  ) {
    this.name = manifest.name ?? folder;
    this.role = roleOf(folder, manifest);
  }

  /** Every package it says it needs, for running or for testing. */
  get declared(): readonly string[] {
    const { dependencies, devDependencies, peerDependencies } = this.manifest;
    return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  }
}

function roleOf(folder: string, manifest: Manifest): Role {
  const [group] = folder.split('/');
  if (group === 'core') return 'core';
  if (group === 'gantry') return 'distribution';
  if (group === 'plugins') return 'plugin';
  if (group === 'test') return 'test';
  if (group === 'examples') return 'example';
  return manifest.gantry?.driver === undefined ? 'library' : 'driver';
}
