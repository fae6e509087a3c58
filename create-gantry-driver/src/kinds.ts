/** What a driver of a kind needs beside the kernel. */
interface KindNeeds {
  /** Packages of the engine, all of one version. */
  readonly drivers: readonly string[];
  /** The same, for the checks only. */
  readonly checks: readonly string[];
  readonly typebox: boolean;
}

/** Kinds with a template. The others are rarely written, and have no first step that would be theirs. */
const needsOf = {
  volume: { drivers: [], checks: [], typebox: true },
  log: { drivers: [], checks: [], typebox: true },
  network: {
    drivers: ['@gantry/network-bridge'],
    checks: ['@gantry/lib-linux', '@gantry/sandbox-netns'],
    typebox: false,
  },
} as const satisfies Readonly<Record<string, KindNeeds>>;

export type DriverKind = keyof typeof needsOf;

export const kinds = Object.keys(needsOf) as readonly DriverKind[];

export const isDriverKind = (text: string): text is DriverKind => Object.hasOwn(needsOf, text);

export const needsOfKind = (kind: DriverKind): KindNeeds => needsOf[kind];
