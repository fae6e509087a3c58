import { randomBytes } from 'node:crypto';
import { ContainerProcesses, ContainerService, type HealthProbe, SIGKILL } from '@gantry/containers/service';
import type { ExecProcess } from '@gantry/core/contracts';
import { Clock, inject, injectable, rfc3339, type Semaphore, untilAborted } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { formatTimeout } from './format-timeout.js';
import type { HealthCheck } from './health-check.js';
import { OutputHead } from './output-head.js';
import { ProbeStarts } from './probe-starts.js';

/** Bytes of a probe's output that are kept. */
const maxOutput = 4096;

/** Milliseconds after which a start no longer counts, so that one that hangs does not block the others. */
const startTimeout = 500;

/** Milliseconds to wait for the rest of the output after the probe has exited. */
const outputTimeout = 200;

/** Runs health probes in containers. */
@injectable()
export class ProbeRunner {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerProcesses.token) private readonly processes: ContainerProcesses,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(ProbeStarts) private readonly starts: Semaphore,
  ) {}

  /**
   * Runs one probe, which is killed at the check's timeout. Resolves to its result; to undefined when the signal
   * aborts, which kills it too. Rejects as `ContainerProcesses.requireRunning`.
   */
  async run(
    containerId: string,
    check: HealthCheck,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<HealthProbe | undefined> {
    const release = await this.starts.acquire({ maxHoldMilliseconds: startTimeout, timer: this.clock });
    try {
      return signal.aborted ? undefined : await this.#run(containerId, check, signal, release);
    } finally {
      release();
    }
  }

  async #run(
    containerId: string,
    { args, timeout }: HealthCheck,
    signal: AbortSignal,
    onStart: () => void,
  ): Promise<HealthProbe | undefined> {
    const { id } = this.processes.requireRunning(containerId);
    const start = rfc3339(this.clock.now());
    const output = new OutputHead(maxOutput);
    const deadline = new AbortController();
    const cancelTimer = this.clock.after(timeout, () => deadline.abort());
    const stop = AbortSignal.any([deadline.signal, signal]);
    let exitCode: number | undefined;
    let fault: string | undefined;
    try {
      const process = await this.#start(id, args, stop);
      onStart();
      exitCode = await this.#waitFor(process, output, stop);
    } catch (error) {
      if (!stop.aborted) fault = messageOf(error);
    } finally {
      cancelTimer();
    }
    if (signal.aborted) return undefined;
    const end = rfc3339(this.clock.now());
    if (exitCode !== undefined) return { start, end, exitCode, output: output.text };
    fault ??= `Health check exceeded timeout (${formatTimeout(timeout)})`;
    return { start, end, exitCode: -1, output: output.text === '' ? fault : `${fault}: ${output.text}` };
  }

  async #start(id: string, args: readonly string[], signal: AbortSignal): Promise<ExecProcess> {
    const execId = randomBytes(32).toString('hex');
    const publish = (action: string, attributes: Readonly<Record<string, string>> = {}) =>
      this.containers.publish(id, action, { execID: execId, ...attributes });
    const process = await this.processes.prepare(id, { args, privileged: false, terminal: false });
    publish(`exec_create: ${args.join(' ')}`);
    publish(`exec_start: ${args.join(' ')}`);
    const started = await process.start({ execId, openStdin: false, detached: false }, { signal });
    void started.exited.then((exitCode) => publish('exec_die', { exitCode: String(exitCode) }));
    return started;
  }

  /** The exit code; undefined when the signal aborts first, and then the process is killed. */
  async #waitFor(process: ExecProcess, output: OutputHead, signal: AbortSignal): Promise<number | undefined> {
    const { streams } = process;
    const read = streams === undefined ? Promise.resolve() : output.read(streams.output);
    try {
      const exitCode = await Promise.race([process.exited, untilAborted(signal).then(() => undefined)]);
      // A child process it left behind may hold the output open.
      if (exitCode !== undefined) await Promise.race([read, this.#delay(outputTimeout)]);
      else await process.kill(SIGKILL).catch(() => undefined);
      return exitCode;
    } finally {
      streams?.close();
    }
  }

  #delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(milliseconds, resolve);
    });
  }
}
