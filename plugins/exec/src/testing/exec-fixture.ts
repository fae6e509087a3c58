import type { Clock } from '@gantry/core/driver';
import { CreateExec } from '../create-exec.js';
import { ExecEvents } from '../exec-events.js';
import { ExecProcesses } from '../exec-processes.js';
import type { ExecConfig } from '../exec-record.js';
import { ExecStore } from '../exec-store.js';
import { ResizeExec } from '../resize-exec.js';
import { StartExec } from '../start-exec.js';
import { FakeContainers } from './fake-containers.js';

export const configOf = (more: Partial<ExecConfig> = {}): ExecConfig => ({
  args: ['sh', '-c', 'true'],
  attachStdin: false,
  attachStdout: true,
  attachStderr: true,
  tty: false,
  privileged: false,
  user: '',
  env: [],
  workingDir: '',
  detachKeys: '',
  ...more,
});

/** The classes of the package, with containers that are fakes and a clock that stands still. */
export function execFixture() {
  let now = 0n;
  const clock: Clock = { now: () => now, after: () => () => undefined };
  const containers = new FakeContainers();
  const [store, events] = [new ExecStore(clock), new ExecEvents(containers)];
  const processes = new ExecProcesses(containers, store, events);
  return {
    containers,
    store,
    createExec: new CreateExec(containers, store, events),
    startExec: new StartExec(containers, store, processes, events),
    resizeExec: new ResizeExec(store),
    advance(seconds: number): void {
      now += BigInt(seconds) * 1_000_000_000n;
    },
  };
}
