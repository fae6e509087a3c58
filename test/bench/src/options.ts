import { parseArgs } from 'node:util';
import { Engine } from './engine.js';

interface Options {
  readonly engines: readonly Engine[];
  readonly image: string;
  /** Names of scenarios and growths; empty for all. */
  readonly only: readonly string[];
  /** Most rounds of a scenario. */
  readonly rounds: number;
  /** The largest size to grow to; 0 for no growth. */
  readonly growth: number;
  /** The docker CLI, for builds; undefined for none. */
  readonly docker: string | undefined;
  /** A file for all values, as JSON. */
  readonly json: string | undefined;
}

export const usage = `npm run bench -- NAME=SOCKET[,PID]... [--image busybox] [--only SCENARIO]... [--rounds 3] [--growth 1000] [--docker PROGRAM] [--json FILE]

Measures engines that speak the Container Engine API on Unix sockets, side by side. PID is the daemon's, for its memory.
Each must have an image with the programs of busybox. With a docker CLI builds are measured, too: --only builds.`;

/** @throws Error naming the argument. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      image: { type: 'string', default: 'busybox' },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: 'Infinity' },
      growth: { type: 'string', default: '0' },
      docker: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const growth = Number(values.growth);
  if (!Number.isInteger(growth) || growth < 0) throw new Error(`--growth ${values.growth} is not a number`);
  const rounds = Number(values.rounds);
  if (Number.isNaN(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds} is not a number of at least 1`);
  if (positionals.length === 0) throw new Error('no engine was named');
  const { image, only, docker, json } = values;
  return { engines: positionals.map(readEngine), image, only, rounds, growth, docker, json };
}

function readEngine(argument: string): Engine {
  const [, name, socket, pid] = /^([^=]+)=([^,]+)(?:,(\d+))?$/.exec(argument) ?? [];
  if (name === undefined || socket === undefined)
    throw new Error(`"${argument}" is not NAME=SOCKET or NAME=SOCKET,PID`);
  return new Engine(name, socket, pid === undefined ? undefined : Number(pid));
}
