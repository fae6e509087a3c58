import type { ContainerRecord, ContainerState, Run, StartFailure } from './record.js';

/**
 * The transitions of the state machine. Each takes the record as it is now and returns the one to store, or undefined when
 * the transition is not allowed from there: another operation was first, and the caller checks the state again.
 */
export type Transition = (record: ContainerRecord) => ContainerRecord | undefined;

/** Its process exists. */
export const isAlive = (state: ContainerState): state is Extract<ContainerState, { status: 'running' | 'paused' }> =>
  state.status === 'running' || state.status === 'paused';

/** Between two runs under a restart policy, up to the end of the start that ends it. */
export const isRestarting = (state: ContainerState): boolean =>
  state.status === 'restarting' || (state.status === 'starting' && state.isRestart === true);

/** Running as clients see it: between two runs under a restart policy too. */
export const isRunning = (state: ContainerState): boolean => isAlive(state) || isRestarting(state);

/** The last run that ended. */
export function lastRun(state: ContainerState): Run | undefined {
  switch (state.status) {
    case 'starting':
    case 'running':
    case 'paused':
      return state.previous;
    case 'created':
      return undefined;
    default:
      return state.last;
  }
}

/** The exit code that wait and inspect show: of the last run, or of a start that failed. */
export function exitCodeOf(state: ContainerState): number {
  if ((state.status === 'created' || state.status === 'exited') && state.error !== undefined) {
    return state.error.exitCode;
  }
  return lastRun(state)?.exitCode ?? 0;
}

const previous = (state: ContainerState): { readonly previous?: Run } => {
  const run = lastRun(state);
  return run === undefined ? {} : { previous: run };
};

/**
 * The caller holds the container's mutex, so `starting` here is a start whose outcome could not be stored. A start by a
 * client resets the counter of the restart policy.
 */
export const intendStart =
  (since: string, restart: { readonly byPolicy: boolean; readonly detachKeys?: string }): Transition =>
  (record) => {
    const { status } = record.state;
    const { detachKeys: _before, ...kept } = record;
    if (!['created', 'exited', 'restarting', 'starting'].includes(status)) return undefined;
    return {
      ...(restart.byPolicy ? record : kept),
      ...(restart.detachKeys && { detachKeys: restart.detachKeys }),
      state: { status: 'starting', since, ...previous(record.state), ...(restart.byPolicy && { isRestart: true }) },
      restartCount: restart.byPolicy ? record.restartCount + 1 : 0,
      stoppedByUser: restart.byPolicy && record.stoppedByUser,
    };
  };

/** What a start has determined and inspect still shows after the exit. */
export interface StartFacts {
  readonly pid: number;
  readonly startedAt: string;
  /** By network name. */
  readonly networkIds: Readonly<Record<string, string>>;
  /** Host paths by destination, of volumes that have one only when mounted. */
  readonly sources: ReadonlyMap<string, string>;
}

export const confirmStart =
  ({ pid, startedAt, networkIds, sources }: StartFacts): Transition =>
  (record) => {
    if (record.state.status !== 'starting') return undefined;
    return {
      ...record,
      state: { status: 'running', pid, startedAt, ...previous(record.state) },
      everStarted: true,
      networks: withNetworkIds(record.networks, networkIds),
      mounts: record.mounts.map((mount) => {
        const source = sources.get(mount.destination);
        return source === undefined || source === mount.source ? mount : { ...mount, source };
      }),
    };
  };

function withNetworkIds(
  networks: ContainerRecord['networks'],
  networkIds: Readonly<Record<string, string>>,
): ContainerRecord['networks'] {
  const changed = Object.entries(networkIds).filter(([name, id]) => networks[name]?.networkId !== id);
  if (changed.length === 0) return networks;
  const result = { ...networks };
  for (const [name, networkId] of changed) result[name] = { ...networks[name], networkId };
  return result;
}

/** What follows the exit of a run, or a failed start. */
export type AfterExit = { readonly restartAfterMs: number } | 'stays';

/** The start failed: back to the state before, with the reason, or to the next attempt of the restart policy. */
export const abandonStart =
  (error?: StartFailure, after: (record: ContainerRecord) => AfterExit = () => 'stays'): Transition =>
  (record) => {
    if (record.state.status !== 'starting') return undefined;
    const failure = error === undefined ? {} : { error };
    const last = record.state.previous;
    if (last === undefined) return { ...record, state: { status: 'created', ...failure } };
    const next = after(record);
    if (next === 'stays') return { ...record, state: { status: 'exited', last, ...failure } };
    const failed: Run = error === undefined ? last : { ...last, exitCode: error.exitCode, error: error.message };
    return { ...record, state: { status: 'restarting', last: failed, delayMs: next.restartAfterMs } };
  };

export const endRun =
  (run: Run, after: (record: ContainerRecord) => AfterExit): Transition =>
  (record) => {
    if (!isAlive(record.state)) return undefined;
    const next = after(record);
    const state: ContainerState =
      next === 'stays'
        ? { status: 'exited', last: run }
        : { status: 'restarting', last: run, delayMs: next.restartAfterMs };
    return { ...record, state };
  };

export const endRestarts: Transition = (record) =>
  record.state.status === 'restarting'
    ? { ...record, state: { status: 'exited', last: record.state.last } }
    : undefined;

export const pauseRun: Transition = (record) =>
  record.state.status === 'running' ? { ...record, state: { ...record.state, status: 'paused' } } : undefined;

export const resumeRun: Transition = (record) =>
  record.state.status === 'paused' ? { ...record, state: { ...record.state, status: 'running' } } : undefined;

export const markStopped: Transition = (record) =>
  record.stoppedByUser ? undefined : { ...record, stoppedByUser: true };

export const beginRemoval =
  (withVolumes: boolean): Transition =>
  (record) => {
    if (isRunning(record.state) || record.state.status === 'starting') return undefined;
    const last = lastRun(record.state);
    return { ...record, state: { status: 'removing', withVolumes, ...(last && { last }) } };
  };

export const failRemoval =
  (reason: string): Transition =>
  (record) => {
    if (record.state.status !== 'removing') return undefined;
    const { last } = record.state;
    return { ...record, state: { status: 'dead', reason, ...(last && { last }) } };
  };
