import { type ContainerRecord, ContainerService, isRunning } from '@gantry/containers/service';
import type { TaskStats } from '@gantry/core/contracts';
import { type DriverLifecycle, inject, injectable, type MeasuredValue, type Measurement } from '@gantry/core/driver';

interface Measured {
  readonly labels: Readonly<Record<string, string>>;
  readonly stats: TaskStats;
}

/** What running containers use. The counters of each are read once. */
@injectable()
export class MeasureContainers implements DriverLifecycle {
  constructor(@inject(ContainerService.token) private readonly containers: ContainerService) {}

  async measure(signal: AbortSignal): Promise<readonly Measurement[]> {
    const running = this.containers.list().filter(({ state }) => isRunning(state));
    const measured = (await Promise.all(running.map((record) => this.#read(record, signal)))).flat();
    const all = (
      name: string,
      type: Measurement['type'],
      help: string,
      of: (stats: TaskStats) => number | undefined,
    ) => ({
      name: `container_${name}`,
      type,
      help,
      values: measured.flatMap(({ labels, stats }): readonly MeasuredValue[] => {
        const value = of(stats);
        return value === undefined ? [] : [{ labels, value }];
      }),
    });
    return [
      all(
        'cpu_seconds_total',
        'counter',
        'Processor time that a container has used',
        ({ cpu }) => cpu && cpu.total / 1e9,
      ),
      all('memory_bytes', 'gauge', 'Memory that a container uses, with the page cache', ({ memory }) => memory?.usage),
      all('memory_limit_bytes', 'gauge', 'Most memory that a container may use', ({ memory }) => memory?.limit),
      all('processes', 'gauge', 'Processes and threads of a container', ({ pids }) => pids?.current),
      all('network_receive_bytes_total', 'counter', 'Bytes that a container has received', sumOf('rxBytes')),
      all('network_transmit_bytes_total', 'counter', 'Bytes that a container has sent', sumOf('txBytes')),
    ];
  }

  /** Nothing of a container that has ended, or cannot be measured, meanwhile. */
  async #read({ id, name }: ContainerRecord, signal: AbortSignal): Promise<readonly Measured[]> {
    const stats = await this.containers.taskStats(id).catch(() => undefined);
    signal.throwIfAborted();
    return stats === undefined ? [] : [{ labels: { id: id.slice(0, 12), name }, stats }];
  }
}

const sumOf =
  (counter: 'rxBytes' | 'txBytes') =>
  ({ networks }: TaskStats): number | undefined =>
    networks && Object.values(networks).reduce((sum, counters) => sum + counters[counter], 0);
