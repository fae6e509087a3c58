import { concurrently } from '../concurrently.js';
import { EngineMemory } from '../engine-memory.js';
import { timed } from '../measurements.js';
import type { Scenario, Subject } from '../scenario.js';

const running = 50;
const created = 300;

async function exec({ engine }: Subject, id: string): Promise<void> {
  const { Id } = await engine.ask<{ Id: string }>('POST', `/containers/${id}/exec`, {
    body: { Cmd: ['true'], AttachStdout: true },
  });
  await engine.bytes('POST', `/exec/${Id}/start`, { body: { Detach: false, Tty: false } });
}

/** Requests and memory with many running containers. */
export const runningContainers: Scenario = {
  name: 'running-containers',
  rounds: 1,
  async run(subject) {
    const { engine, containers } = subject;
    const memory = engine.pid === undefined ? undefined : await EngineMemory.from(engine.pid);
    const idle = await memory?.now();
    const ids: string[] = [];
    const [starts, lists, inspects, execs, removal] = [[], [], [], [], []] as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ];
    await timed(starts, async () => {
      for (let count = 0; count < running; count += 1) {
        const id = await containers.create({ Cmd: ['sleep', '100000'] });
        ids.push(id);
        await containers.start(id);
      }
    });
    const full = await memory?.now();
    for (const id of ids) {
      await timed(lists, () => engine.bytes('GET', '/containers/json'));
      await timed(inspects, () => engine.bytes('GET', `/containers/${id}/json`));
    }
    for (const id of ids.slice(0, 30)) await timed(execs, () => exec(subject, id));
    await timed(removal, () => concurrently(ids, running, (id) => containers.remove(id)));
    return {
      [`start ${running} one by one ms`]: starts,
      [`list ${running} running ms`]: lists,
      'inspect ms': inspects,
      'exec of true ms': execs,
      [`remove ${running} running at once ms`]: removal,
      ...(idle !== undefined &&
        full !== undefined && {
          'memory of the idle engine MiB': [idle],
          'memory per running container MiB': [(full - idle) / running],
        }),
    };
  },
};

export const list: Scenario = {
  name: 'list',
  rounds: 1,
  async run({ engine, containers }) {
    const ids: string[] = [];
    for (let count = 0; count < created; count += 1) ids.push(await containers.create({ Cmd: ['true'] }));
    const lists: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      await timed(lists, () => engine.bytes('GET', '/containers/json?all=1'));
    }
    await concurrently(ids, 8, (id) => containers.remove(id));
    return { [`list ${created} created ms`]: lists };
  },
};
