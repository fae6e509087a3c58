import { parseArgs } from 'node:util';

/** Names of growths of `@gantry/bench`, by the option for their number. */
export const kinds = {
  images: 'images',
  networks: 'networks',
  events: 'events',
  stopped: 'stopped containers',
  running: 'running containers',
} as const;

export type Kind = keyof typeof kinds;

/** An engine that runs already. */
export interface OtherEngine {
  readonly name: string;
  readonly socket: string;
  readonly pid: number;
}

export interface ScaleOptions {
  /** How many of each; of none nothing is measured. */
  readonly counts: Readonly<Record<Kind, number>>;
  /** Measured after Gantry, with the same requests. */
  readonly others: readonly OtherEngine[];
  /** An image with the programs of busybox. */
  readonly image: string;
  /** Whether Gantry is measured, too. */
  readonly hasOwn: boolean;
  /** A file for the figures, as JSON. */
  readonly json: string | undefined;
  /** Where the data root is made; the directory for temporary files by default. */
  readonly place: string | undefined;
  /** A directory for profiles of the daemon's processor time. */
  readonly profile: string | undefined;
}

export const usage = `npm run scale:engine -- [--running N] [--stopped N] [--images N] [--networks N] [--events N] [--json FILE]
  [--place DIRECTORY] [--profile DIRECTORY] [--image busybox] [--others-only] [NAME=SOCKET,PID]...

Measures a daemon of its own with so many of each, by default 1000, 10000, 10000, 1000 and 100000; when one is named, the
others are 0. Engines that run already are measured after it.`;

const defaults: Readonly<Record<Kind, number>> = {
  images: 10_000,
  networks: 1000,
  events: 100_000,
  stopped: 10_000,
  running: 1000,
};

/** @throws Error naming the option and its value. */
export function parseOptions(args: readonly string[]): ScaleOptions {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      running: { type: 'string' },
      stopped: { type: 'string' },
      images: { type: 'string' },
      networks: { type: 'string' },
      events: { type: 'string' },
      image: { type: 'string', default: 'busybox' },
      'others-only': { type: 'boolean', default: false },
      json: { type: 'string' },
      place: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const names = Object.keys(kinds) as Kind[];
  const isNamed = names.some((kind) => values[kind] !== undefined);
  const count = (kind: Kind): number => toCount(kind, values[kind] ?? (isNamed ? '0' : String(defaults[kind])));
  return {
    counts: {
      images: count('images'),
      networks: count('networks'),
      events: count('events'),
      stopped: count('stopped'),
      running: count('running'),
    },
    others: positionals.map(toEngine),
    image: values.image,
    hasOwn: !values['others-only'],
    json: values.json,
    place: values.place,
    profile: values.profile,
  };
}

function toCount(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new Error(`--${option}: "${text}" is not a whole number`);
  return count;
}

function toEngine(argument: string): OtherEngine {
  const [, name, socket, pid] = /^([^=]+)=([^,]+),(\d+)$/.exec(argument) ?? [];
  if (name === undefined || socket === undefined) throw new Error(`"${argument}" is not NAME=SOCKET,PID`);
  return { name, socket, pid: Number(pid) };
}
