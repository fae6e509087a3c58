/** What a package of a kind needs beside the kernel. */
interface KindNeeds {
  /** What the kind is called in sentences, such as `volume driver`. */
  readonly noun: string;
  /** Packages of the engine, all of one version. */
  readonly drivers: readonly string[];
  /** The same, of which the daemon supplies its own. */
  readonly peers: readonly string[];
  /** The same, for the tests only. */
  readonly checks: readonly string[];
  /** Whether TypeBox is a dependency of the package's own, a peer that the daemon supplies, or not used. */
  readonly typebox: 'own' | 'peer' | 'none';
  /** The command that runs the tests of a built package. */
  readonly test: string;
  readonly languages: readonly Language[];
}

export const languages = ['typescript', 'javascript'] as const;
export type Language = (typeof languages)[number];

const driverOf = (kind: string) => ({
  noun: `${kind} driver`,
  drivers: [],
  peers: [],
  checks: ['@gantry/conformance'],
  typebox: 'own' as const,
  test: 'gantry-conformance .',
  languages,
});

/** Kinds with a template. The others are rarely written, and have no first step that would be theirs. */
const needsOf = {
  volume: driverOf('volume'),
  log: driverOf('log'),
  network: {
    ...driverOf('network'),
    drivers: ['@gantry/network-bridge'],
    checks: ['@gantry/conformance', '@gantry/lib-linux', '@gantry/sandbox-netns'],
    typebox: 'none',
    test: 'gantry-conformance . --setup setup.mjs',
  },
  plugin: {
    noun: 'plugin',
    drivers: [],
    peers: ['@gantry/engine-api'],
    checks: ['@gantry/test-engine'],
    typebox: 'peer',
    test: 'node --test --test-reporter tap dist/*.test.js',
    languages: ['typescript'],
  },
} as const satisfies Readonly<Record<string, KindNeeds>>;

export type PackageKind = keyof typeof needsOf;

export const kinds = Object.keys(needsOf) as readonly PackageKind[];

export const isPackageKind = (text: string): text is PackageKind => Object.hasOwn(needsOf, text);

export const needsOfKind = (kind: PackageKind): KindNeeds => needsOf[kind];
