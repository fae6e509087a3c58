import { randomBytes } from 'node:crypto';
import type { ExecProcess } from '@gantry/core/contracts';
import { messageOf } from '@gantry/core/errors';
import { type Clock, rfc3339 } from '../clock.js';
import type { HealthProbe } from '../interfaces.js';
import type { ContainerService } from '../service.js';
import { SIGKILL } from '../signals.js';
import type { Admission } from './admission.js';
import { FirstOutput } from './first-output.js';
import type { HealthCheck } from './health-check.js';

export interface ProbeParts {
  readonly containers: Pick<ContainerService, 'execTarget' | 'publish'>;
  readonly clock: Clock;
  /** Of processes that are being started, which is what costs the host most. */
  readonly starts: Admission;
}

/** Bytes of output that are kept. */
const keptOutput = 4096;

/** How long what is left of a probe's output may take once the probe has ended, in milliseconds. */
const restOfOutput = 200;

/**
 * Runs one probe in a container, no longer than the check allows, and says how it went. Undefined when the signal
 * aborts, which ends the probe. Rejects as `execTarget` does.
 */
export async function runProbe(
  { containers, clock, starts }: ProbeParts,
  containerId: string,
  { args, timeout }: HealthCheck,
  { signal }: { readonly signal: AbortSignal },
): Promise<HealthProbe | undefined> {
  const leave = await starts.enter();
  try {
    return signal.aborted
      ? undefined
      : await probe({ containers, clock }, containerId, { args, timeout }, signal, leave);
  } finally {
    leave();
  }
}

/** `onStart` is called when the process runs. */
async function probe(
  { containers, clock }: Omit<ProbeParts, 'starts'>,
  containerId: string,
  { args, timeout }: Pick<HealthCheck, 'args' | 'timeout'>,
  signal: AbortSignal,
  onStart: () => void,
): Promise<HealthProbe | undefined> {
  const execId = randomBytes(32).toString('hex');
  const publish = (action: string, attributes: Readonly<Record<string, string>> = {}) =>
    containers.publish(containerId, action, { execID: execId, ...attributes });
  const target = containers.execTarget(containerId);
  const start = rfc3339(clock.now());
  const output = new FirstOutput(keptOutput);
  const late = new AbortController();
  const callOff = clock.after(timeout, () => late.abort());
  const ending = AbortSignal.any([late.signal, signal]);
  let code: number | undefined;
  let fault: string | undefined;
  try {
    const process = await target.process({ args, privileged: false, terminal: false });
    publish(`exec_create: ${args.join(' ')}`);
    publish(`exec_start: ${args.join(' ')}`);
    const request = { execId, process, openStdin: false, detached: false };
    const started = await target.runtime.exec(containerId, request, { signal: ending });
    onStart();
    void started.exited.then((exitCode) => publish('exec_die', { exitCode: String(exitCode) }));
    code = await follow(started, output, ending, clock);
  } catch (error) {
    if (!ending.aborted) fault = messageOf(error);
  } finally {
    callOff();
  }
  if (signal.aborted) return undefined;
  const end = rfc3339(clock.now());
  if (code !== undefined) return { start, end, exitCode: code, output: output.text };
  fault ??= `Health check exceeded timeout (${timeout >= 1000 ? `${timeout / 1000}s` : `${timeout}ms`})`;
  return { start, end, exitCode: -1, output: output.text === '' ? fault : `${fault}: ${output.text}` };
}

/** The exit code; undefined when the signal aborted before, and then the process is killed. */
async function follow(
  process: ExecProcess,
  output: FirstOutput,
  ending: AbortSignal,
  clock: Clock,
): Promise<number | undefined> {
  const { streams } = process;
  const read = streams === undefined ? Promise.resolve() : output.read(streams.output);
  try {
    const code = await Promise.race([process.exited, aborted(ending)]);
    // It may have left somebody behind who holds the output open.
    if (code !== undefined) await Promise.race([read, pause(clock, restOfOutput)]);
    else await process.kill(SIGKILL).catch(() => undefined);
    return code;
  } finally {
    streams?.close();
  }
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

const pause = (clock: Clock, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
