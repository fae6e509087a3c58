import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Scope, startDaemon, usageOf } from '@gantry/test-nodes';
import { ask, isDone } from './ask.js';
import type { ContainerDetails, Created } from './wire.js';
import { beginningOf } from './world.js';

interface Adoption {
  readonly containers: number;
  /** From the start of the process to its first `_ping`, with all of them running. */
  readonly startMilliseconds: number;
  /** Of the daemon until then, user and system. */
  readonly cpuMilliseconds: number;
  /** The same with all of them ended while it was away. */
  readonly startAfterEndsMilliseconds: number;
  /** How many went on: same process, running. */
  readonly adopted: number;
  /** How many that ended meanwhile have their own code, time and log. */
  readonly codes: number;
  readonly times: number;
  readonly logs: number;
}

const program = (code: number): string =>
  `trap "echo bye ${code}; exit ${code}" TERM; echo hello ${code}; sleep 10000 & wait`;

/** Kills a daemon over running containers; then once more, and all of them end before the next one starts. */
export async function measureAdoption(scope: Scope, containers: number): Promise<Adoption> {
  const daemon = await startDaemon(scope, { logLevel: 'info' });
  const must = async <T>(method: string, target: string, body?: object): Promise<T> => {
    const answer = await ask(daemon.socket, method, target, body === undefined ? {} : { body });
    if (answer === undefined || !isDone(answer)) throw new Error(`${method} ${target}: ${answer?.text ?? 'no answer'}`);
    return (answer.text === '' ? undefined : JSON.parse(answer.text)) as T;
  };
  const started: { readonly id: string; readonly code: number; readonly pid: number; readonly process: string }[] = [];
  for (let index = 0; index < containers; index += 10) {
    const batch = Array.from({ length: Math.min(10, containers - index) }, (_, offset) => (index + offset) % 250);
    const made = batch.map(async (code) => {
      const { Id } = await must<Created>('POST', '/containers/create', {
        Image: 'busybox',
        Cmd: ['sh', '-c', program(code)],
      });
      await must('POST', `/containers/${Id}/start`);
      const { State } = await must<ContainerDetails>('GET', `/containers/${Id}/json`);
      return { id: Id, code, pid: State.Pid, process: await beginningOf(State.Pid) };
    });
    started.push(...(await Promise.all(made)));
  }
  await daemon.crash();
  await daemon.restart();
  const cpuMilliseconds = usageOf(daemon.pid).cpuSeconds * 1000;
  const { startMilliseconds } = daemon;
  const alive = await Promise.all(
    started.map(async ({ id, pid, process }) => {
      const { State } = await must<ContainerDetails>('GET', `/containers/${id}/json`);
      return State.Running && State.Pid === pid && (await beginningOf(pid)) === process;
    }),
  );
  await daemon.crash();
  const from = Date.now();
  for (const { pid } of started) process.kill(pid, 'SIGTERM');
  while ((await Promise.all(started.map(({ pid }) => isThere(pid)))).includes(true)) await delay(50);
  const to = Date.now();
  // Whatever is found must not be taken for what happened when it was found.
  await delay(500);
  await daemon.restart();
  const ends = await Promise.all(
    started.map(async ({ id, code }) => {
      const { State } = await must<ContainerDetails>('GET', `/containers/${id}/json`);
      const finished = Date.parse(State.FinishedAt);
      const log = await ask(daemon.socket, 'GET', `/containers/${id}/logs?stdout=1`);
      const said = [...(log?.text ?? '').matchAll(/(hello|bye) (\d+)\n/g)].map(
        ([, word, digits]) => `${word} ${digits}`,
      );
      return {
        code: State.Status === 'exited' && State.ExitCode === code,
        time: finished >= from - 50 && finished <= to + 250,
        log: said.join() === `hello ${code},bye ${code}`,
      };
    }),
  );
  return {
    containers,
    startMilliseconds: Math.round(startMilliseconds),
    cpuMilliseconds,
    startAfterEndsMilliseconds: Math.round(daemon.startMilliseconds),
    adopted: alive.filter(Boolean).length,
    codes: ends.filter(({ code }) => code).length,
    times: ends.filter(({ time }) => time).length,
    logs: ends.filter(({ log }) => log).length,
  };
}

const isThere = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/\) [ZX] /.test(stat),
    () => false,
  );
