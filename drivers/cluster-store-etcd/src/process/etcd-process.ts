import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { arch, constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import { settlesWithin } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { LaunchedProcess, Launcher } from '@gantry/lib-linux/launcher';
import { peerSocket, peerUrl } from './peer-address.js';

interface EtcdProcessOptions {
  /** The program, by its path. */
  readonly program: string;
  readonly memberName: string;
  /** Names of the members with which the store was made or joined, this one included. */
  readonly members: readonly string[];
  /** The member joins a store that is there already. */
  readonly isJoining: boolean;
  /** etcd's data; survives a reboot. */
  readonly dataDirectory: string;
  /** Where the sockets are; only the daemon's user may enter it. */
  readonly socketDirectory: string;
  readonly quotaBytes: number;
  /** Milliseconds without a leader before another one is elected; a leader is heard of ten times in it. */
  readonly electionTimeout: number;
  readonly launcher: Launcher;
  readonly log: Logger;
}

const { signals } = constants;
const clientSocket = 'client:0';
const restartDelays = [50, 200, 1000, 5000];
const stoppingLimit = 10_000;

/**
 * Transactions between two snapshots. etcd keeps what it has logged since the last one in memory, and the 5,000 before: of
 * tasks these are large, and by default there are 100,000.
 */
const logEntries = 1_000;

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

  /** @param flags for the first start only. */
  start(flags: readonly string[] = []): void {
    this.#supervision = this.#supervise(flags);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child?.kill(signals.SIGTERM);
    const ended = this.#supervision ?? Promise.resolve();
    if (!(await settlesWithin(ended, stoppingLimit))) this.#child?.kill(signals.SIGKILL);
    await ended;
  }

  async #supervise(firstFlags: readonly string[]): Promise<void> {
    let flags = firstFlags;
    for (let starts = 0; !this.#isStopping; starts++) {
      const startedAt = Date.now();
      const exit = await this.#run(flags);
      flags = [];
      if (this.#isStopping) return;
      if (Date.now() - startedAt > 60_000) starts = 0;
      this.options.log.error({ event: 'etcd.exited', exit, output: this.lastOutput }, 'etcd exited; starting it again');
      await delay(restartDelays[Math.min(starts, restartDelays.length - 1)]);
    }
  }

  async #run(flags: readonly string[]): Promise<string> {
    const { launcher, program, socketDirectory } = this.options;
    mkdirSync(socketDirectory, { recursive: true, mode: 0o700 });
    // A killed etcd leaves its sockets, and does not start while they are there.
    for (const name of [clientSocket, peerSocket(this.options.memberName)]) {
      rmSync(join(socketDirectory, name), { force: true });
    }
    const output = openSync(this.#output, 'w', 0o600);
    try {
      this.#child = await launcher.launch({
        file: 'setpriv',
        args: ['--pdeathsig', 'KILL', program, ...this.#flags(), ...flags],
        cwd: socketDirectory,
        ...(arch() !== 'x64' && { env: { ETCD_UNSUPPORTED_ARCH: arch() } }),
        fds: new Map([[2, output]]),
        newSession: true,
      });
    } catch (error) {
      return messageOf(error);
    } finally {
      closeSync(output);
    }
    if (this.#isStopping) this.#child.kill(signals.SIGTERM);
    const { code, signal } = await this.#child.exited;
    return signal === undefined ? `exit code ${code}` : `signal ${signal}`;
  }

  /** Of etcd 3.4 to 3.6. Addresses are `unix://name:port`, and the socket is the file `name:port` in the working directory. */
  #flags(): readonly string[] {
    const { dataDirectory, electionTimeout, isJoining, memberName, members, quotaBytes } = this.options;
    const client = `unix://${clientSocket}`;
    const peer = peerUrl(memberName);
    return [
      ...['--name', memberName, '--data-dir', dataDirectory],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', members.map((name) => `${name}=${peerUrl(name)}`).join(',')],
      ...['--initial-cluster-state', isJoining ? 'existing' : 'new'],
      ...['--heartbeat-interval', String(electionTimeout / 10), '--election-timeout', String(electionTimeout)],
      '--pre-vote',
      ...['--max-txn-ops', '4096', '--max-request-bytes', String(10 * 1024 * 1024)],
      ...['--quota-backend-bytes', String(quotaBytes)],
      ...['--snapshot-count', String(logEntries)],
      ...['--logger', 'zap', '--log-level', 'error', '--log-outputs', 'stderr'],
    ];
  }
}
