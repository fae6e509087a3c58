import { concurrently } from '../concurrently.js';
import { timed } from '../measurements.js';
import type { Scenario, Subject } from '../scenario.js';

/** Creates, starts, awaits and removes a container. Resolves to the milliseconds of each step, and of all of them. */
export async function runLifecycle({ containers }: Subject, network: string): Promise<readonly number[][]> {
  const [create, start, wait, remove, all] = [[], [], [], [], []] as number[][] as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  await timed(all, async () => {
    const id = await timed(create, () => containers.create({ Cmd: ['true'], HostConfig: { NetworkMode: network } }));
    await timed(start, () => containers.start(id));
    await timed(wait, () => containers.wait(id));
    await timed(remove, () => containers.remove(id));
  });
  return [create, start, wait, remove, all];
}

export const lifecycle: Scenario = {
  name: 'lifecycle',
  rounds: 30,
  async run(subject) {
    const [create = [], start = [], wait = [], remove = [], all = []] = await runLifecycle(subject, 'default');
    const [, , , , withoutNetwork = []] = await runLifecycle(subject, 'none');
    return {
      'create ms': create,
      'start ms': start,
      'wait ms': wait,
      'remove ms': remove,
      'create, start, wait, remove ms': all,
      'the same without a network ms': withoutNetwork,
    };
  },
};

/** Removals alone: of a container that was never started, of one that has ended a while ago, and of one that runs. */
export const removal: Scenario = {
  name: 'removal',
  rounds: 15,
  async run({ engine, containers }) {
    const [created, exited, forced] = [[], [], []] as [number[], number[], number[]];
    const remove = (id: string, query: string) => engine.bytes('DELETE', `/containers/${id}${query}`);
    const unstarted = await containers.create({ Cmd: ['true'] });
    await timed(created, () => remove(unstarted, ''));
    const ended = await containers.create({ Cmd: ['true'] });
    await containers.start(ended);
    await containers.wait(ended);
    const running = await containers.create({ Cmd: ['sleep', '600'] });
    await containers.start(running);
    await timed(exited, () => remove(ended, '?v=1'));
    await timed(forced, () => remove(running, '?force=1&v=1'));
    return {
      'remove of a created one ms': created,
      'remove of an exited one ms': exited,
      'remove by force ms': forced,
    };
  },
};

export const burst: Scenario = {
  name: 'burst',
  rounds: 2,
  async run(subject) {
    const count = 48;
    const total: number[] = [];
    await timed(total, () =>
      concurrently(
        Array.from({ length: count }, (_, n) => n),
        8,
        async () => {
          await runLifecycle(subject, 'default');
        },
      ),
    );
    return { 'container lifecycles, 8 concurrent, 1/s': total.map((ms) => count / (ms / 1000)) };
  },
};
