import { Engine } from '@gantry/bench';
import { type Daemon, type DaemonOptions, type Scope, startDaemon } from '@gantry/test-nodes';
import type { OtherEngine } from '../options.js';

/** An engine under measurement. */
export interface MeasuredEngine {
  readonly name: string;
  readonly engine: Engine;
  /** For requests of which any number waits at a time. */
  readonly streams: Engine;
  /** Of the daemon's process that runs now. */
  readonly pid: number;
  /** What its monitors have in their arguments. */
  readonly directory: string;
  /** The data root; undefined when it is not known. */
  readonly data: string | undefined;
  /** Kills the daemon with `kill -9` and starts it: milliseconds until it answers a ping. Undefined when it cannot. */
  readonly restart: (() => Promise<number>) | undefined;
}

/** A /20 for the default network and 4,096 subnets of 62 addresses, apart from those of other tests that run beside. */
const pools = [
  { base: '10.84.0.0/20', size: 20 },
  { base: '10.80.0.0/14', size: 26 },
];

/** Files of the history, of one MiB each. */
const segments = 64;

interface OwnOptions {
  readonly place: string | undefined;
  readonly profile: string | undefined;
}

/** Starts a daemon with room for everything. */
export async function startOwn(scope: Scope, { place, profile }: OwnOptions): Promise<MeasuredEngine> {
  const options: DaemonOptions = {
    logLevel: 'warn',
    drivers: { 'ipam/default': { pools } },
    plugins: { events: { segments } },
    ...(place !== undefined && { place }),
    ...(profile !== undefined && {
      within: ['sh', '-c', `node=$0; exec "$node" --cpu-prof --cpu-prof-dir=${profile} "$@"`],
    }),
  };
  const daemon: Daemon = await startDaemon(scope, options);
  return {
    ...connect(scope, 'gantry', daemon.socket, daemon.pid),
    get pid() {
      return daemon.pid;
    },
    directory: daemon.directory,
    data: `${daemon.directory}/data`,
    async restart() {
      // Only a process that ends by itself writes its profile.
      if (profile !== undefined) await daemon.restart();
      await daemon.crash();
      await daemon.restart();
      return daemon.startMilliseconds;
    },
  };
}

export const toMeasured = (scope: Scope, { name, pid, socket }: OtherEngine): MeasuredEngine => ({
  ...connect(scope, name, socket, pid),
  pid,
  directory: socket.slice(0, socket.lastIndexOf('/')),
  data: undefined,
  restart: undefined,
});

function connect(scope: Scope, name: string, socket: string, pid: number) {
  const [engine, streams] = [new Engine(name, socket, pid), new Engine(name, socket, pid, Number.POSITIVE_INFINITY)];
  scope.teardown(() => {
    engine.close();
    streams.close();
  });
  return { name, engine, streams };
}
