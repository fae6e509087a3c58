import type { DriverLifecycle, ReplacedDriver } from './driver-lifecycle.js';
import type { Measurement } from './measurement.js';
import type { Orphan } from './orphan.js';

type Hook = 'start' | 'ready' | 'drain' | 'stop' | 'onIdle';

/** The hooks of several objects as those of one: called in their order, and in the reverse order to stop and when idle. */
export function joinHooks(all: readonly DriverLifecycle[]): DriverLifecycle {
  const reverse = [...all].reverse();
  return {
    start: (signal) => callUntilOneFails(all, 'start', signal),
    ready: (signal) => callUntilOneFails(all, 'ready', signal),
    drain: (signal) => callEach(all, 'drain', signal),
    stop: (signal) => callEach(reverse, 'stop', signal),
    reloadBegins(): void {
      for (const each of all) each.reloadBegins?.();
    },
    reloadEnds(): void {
      for (const each of all) each.reloadEnds?.();
    },
    reloaded(): void {
      for (const each of all) each.reloaded?.();
    },
    onIdle: () => callEach(reverse, 'onIdle', new AbortController().signal),
    async findOrphans(): Promise<readonly Orphan[]> {
      return (await Promise.all(all.map(async (each) => (await each.findOrphans?.()) ?? []))).flat();
    },
    async measure(signal: AbortSignal): Promise<readonly Measurement[]> {
      return (await Promise.all(all.map(async (each) => (await each.measure?.(signal)) ?? []))).flat();
    },
    commands: Object.assign({}, ...all.map(({ commands }) => commands)) as DriverLifecycle['commands'] & object,
    async driverReplaced(replaced: ReplacedDriver, signal: AbortSignal): Promise<void> {
      for (const each of all) await each.driverReplaced?.(replaced, signal);
    },
    driverReferences: () => all.flatMap((each) => each.driverReferences?.() ?? []),
    driversInUse: () => all.flatMap((each) => each.driversInUse?.() ?? []),
    ...(all.some(({ reconfigure }) => reconfigure !== undefined) && {
      async reconfigure(config: unknown, signal: AbortSignal): Promise<void> {
        for (const each of all) await each.reconfigure?.(config, signal);
      },
    }),
  };
}

async function callUntilOneFails(all: readonly DriverLifecycle[], hook: Hook, signal: AbortSignal): Promise<void> {
  for (const each of all) await each[hook]?.(signal);
}

/** A failure does not keep the others from being called. Rejects with what failed. */
async function callEach(all: readonly DriverLifecycle[], hook: Hook, signal: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const each of all) {
    try {
      await each[hook]?.(signal);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `the hook ${hook} failed ${errors.length} times`);
}
