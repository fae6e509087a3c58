import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import { settlesWithin } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { LaunchedProcess, Launcher } from '@gantry/lib-linux/launcher';
import { clientSocket, etcdConfiguration, type MemberConfiguration } from './etcd-configuration.js';
import { peerSocket } from './peer-address.js';

interface EtcdProcessOptions extends MemberConfiguration {
  /** The program, by its path. */
  readonly program: string;
  /** Where the sockets are; only the daemon's user may enter it. */
  readonly socketDirectory: string;
  readonly launcher: Launcher;
  readonly log: Logger;
}

const { signals } = constants;
const configurationFile = 'etcd.json';
const restartDelays = [50, 200, 1000, 5000];
const stoppingLimit = 10_000;

/**
 * An etcd that is started again when it exits. The kernel kills it with the daemon, so that none outlives a crash; the
 * next one waits for the lock on the data.
 */
export class EtcdProcess {
  #child: LaunchedProcess | undefined;
  #supervision: Promise<void> | undefined;
  #isStopping = false;

  constructor(private readonly options: EtcdProcessOptions) {}

  get #output(): string {
    return join(this.options.socketDirectory, 'output');
  }

  get socket(): string {
    return join(this.options.socketDirectory, clientSocket);
  }

  /** Where etcd accepts its peers. */
  get peerSocket(): string {
    return join(this.options.socketDirectory, peerSocket(this.options.memberName));
  }

  /** What etcd wrote last, for error messages. */
  get lastOutput(): string {
    try {
      return readFileSync(this.#output, 'utf8').trim().split('\n').at(-1) ?? '';
    } catch {
      return ''; // it was never started
    }
  }

  /** @param onlyFirst configuration for the first start only. */
  start(onlyFirst: Readonly<Record<string, unknown>> = {}): void {
    this.#supervision = this.#supervise(onlyFirst);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child?.kill(signals.SIGTERM);
    const ended = this.#supervision ?? Promise.resolve();
    if (!(await settlesWithin(ended, stoppingLimit))) this.#child?.kill(signals.SIGKILL);
    await ended;
  }

  async #supervise(onlyFirst: Readonly<Record<string, unknown>>): Promise<void> {
    let added = onlyFirst;
    for (let starts = 0; !this.#isStopping; starts++) {
      const startedAt = Date.now();
      let exit: string;
      try {
        const child = await this.#launch(added);
        added = {};
        exit = await exitOf(child);
      } catch (error) {
        exit = messageOf(error); // the disk is full, perhaps
      }
      if (this.#isStopping) return;
      if (Date.now() - startedAt > 60_000) starts = 0;
      this.options.log.error({ event: 'etcd.exited', exit, output: this.lastOutput }, 'etcd exited; starting it again');
      await delay(restartDelays[Math.min(starts, restartDelays.length - 1)]);
    }
  }

  async #launch(added: Readonly<Record<string, unknown>>): Promise<LaunchedProcess> {
    const { launcher, program, socketDirectory } = this.options;
    mkdirSync(socketDirectory, { recursive: true, mode: 0o700 });
    // A killed etcd leaves its sockets, and does not start while they are there.
    for (const name of [clientSocket, peerSocket(this.options.memberName)]) {
      rmSync(join(socketDirectory, name), { force: true });
    }
    const configuration = join(socketDirectory, configurationFile);
    writeFileSync(configuration, JSON.stringify({ ...etcdConfiguration(this.options), ...added }), { mode: 0o600 });
    const output = openSync(this.#output, 'w', 0o600);
    try {
      this.#child = await launcher.launch({
        file: 'setpriv',
        args: ['--pdeathsig', 'KILL', program, '--config-file', configuration],
        cwd: socketDirectory,
        ...(arch() !== 'x64' && { env: { ETCD_UNSUPPORTED_ARCH: arch() } }),
        fds: new Map([[2, output]]),
        newSession: true,
      });
    } finally {
      closeSync(output);
    }
    if (this.#isStopping) this.#child.kill(signals.SIGTERM);
    return this.#child;
  }
}

async function exitOf(child: LaunchedProcess): Promise<string> {
  const { code, signal } = await child.exited;
  return signal === undefined ? `exit code ${code}` : `signal ${signal}`;
}
