import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { managerDrivers, type Scope, type SwarmNode, startNodes } from '@gantry/test-nodes';
import { ask } from '../../manager/ask.js';
import { until } from '../../processes/until.js';

/** Seconds that the managers may take to be of one mind again. */
const settlingLimit = 60;

interface NodeShown {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Role: string; readonly Availability: string };
  readonly Status: { readonly State: string; readonly Addr: string };
  readonly Description: { readonly TLSInfo: object };
  readonly ManagerStatus?: { readonly Leader?: boolean; readonly Reachability: string; readonly Addr: string };
}

export interface SwarmShown {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly CAConfig: object };
  readonly TLSInfo: { readonly TrustRoot: string };
  readonly RootRotationInProgress: boolean;
  readonly JoinTokens: { readonly Worker: string; readonly Manager: string };
}

/** What an operator meets while another manager begins to lead. */
const leaderless = /: 503 |does not have a leader|no leader|store is closed|ECONNREFUSED|ECONNRESET|socket hang up/;
/** A record has changed since it was read. */
const outdated = /out of sequence/;

/** Managers of one swarm, each a daemon in a network of its own. They run no tasks. */
export class YearManagers {
  private constructor(
    readonly nodes: readonly SwarmNode[],
    private readonly heapReports: string,
  ) {}

  /** @param timesShorter how many times shorter their calendar is. */
  static async start(t: Scope, count: number, timesShorter: number): Promise<YearManagers> {
    const heapReports = await mkdtemp(join(tmpdir(), 'gantry-heap-'));
    t.teardown(() => rm(heapReports, { recursive: true, force: true }));
    const environment = {
      GANTRY_CALENDAR_TIMES_SHORTER: String(timesShorter),
      GANTRY_HEAP_REPORTS: heapReports,
      NODE_OPTIONS: `--import=${new URL('../measure/report-heap.js', import.meta.url).href}`,
    };
    const extraPackages = [fileURLToPath(new URL('../../../encrypting-networks', import.meta.url))];
    const options = { environment, extraPackages, drivers: managerDrivers, logLevel: 'warn' };
    const nodes = await startNodes(t, count, () => options);
    const managers = new YearManagers(nodes, heapReports);
    const [first, ...others] = nodes as [SwarmNode, ...SwarmNode[]];
    await ask(first.daemon.socket, 'POST', '/swarm/init', {
      ListenAddr: '0.0.0.0:2377',
      AdvertiseAddr: first.address,
      Availability: 'drain',
    });
    for (const node of others) await managers.join(node);
    return managers;
  }

  /** Asks any manager, and again for as long as the swarm has no leader. Rejects with the answer when it is an error. */
  async ask<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    return this.#repeat(leaderless, () => ask<T>(this.#answering.daemon.socket, method, path, body));
  }

  /** Creates an object unless an earlier request, whose answer was lost with a leader, has. Resolves to its id. */
  async create(folder: string, name: string, body: object): Promise<string> {
    try {
      return (await this.ask<{ readonly ID: string }>('POST', `/${folder}/create`, body)).ID;
    } catch (error) {
      if (!/already exists|name conflicts/.test(String(error))) throw error;
      return (await this.ask<{ readonly ID: string }>('GET', `/${folder}/${name}`)).ID;
    }
  }

  /** Removes an object unless it is gone. */
  async remove(folder: string, id: string): Promise<void> {
    await this.ask('DELETE', `/${folder}/${id}`).catch((error: Error) => {
      if (!/: 404 /.test(error.message)) throw error;
    });
  }

  /** Reads a record and changes it, and again when it has changed in between, also by a request whose answer was lost. */
  change(readAndUpdate: () => Promise<void>): Promise<void> {
    return this.#repeat(outdated, readAndUpdate, 3 * settlingLimit); // each of both may wait for a leader meanwhile
  }

  async #repeat<T>(passing: RegExp, act: () => Promise<T>, limit = settlingLimit): Promise<T> {
    const deadline = Date.now() + limit * 1000;
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (!passing.test(String(error)) || Date.now() > deadline) throw error;
        await delay(100);
      }
    }
  }

  swarm(): Promise<SwarmShown> {
    return this.ask<SwarmShown>('GET', '/swarm');
  }

  listed(): Promise<readonly NodeShown[]> {
    return this.ask<readonly NodeShown[]>('GET', '/nodes');
  }

  async leader(): Promise<SwarmNode> {
    let leader: SwarmNode | undefined;
    await until('the swarm has a leader', settlingLimit, async () => {
      const address = (await this.listed()).find(({ ManagerStatus: status }) => status?.Leader)?.Status.Addr;
      leader = this.nodes.find((node) => node.address === address);
      return leader !== undefined;
    });
    return leader as SwarmNode;
  }

  /** Resolves when as many managers as there are engines can be reached, and one of them leads. */
  async settled(): Promise<void> {
    await until('all managers are reachable', settlingLimit, async () => {
      const shown = (await this.listed()).flatMap(({ ManagerStatus: status }) =>
        status === undefined ? [] : [status],
      );
      return (
        shown.length === this.nodes.length &&
        shown.every(({ Reachability }) => Reachability === 'reachable') &&
        shown.some(({ Leader }) => Leader)
      );
    });
  }

  /** A node becomes a manager, and takes no tasks. */
  async join(node: SwarmNode): Promise<void> {
    const other = this.nodes.find((each) => each !== node) as SwarmNode;
    const swarm = await this.#repeat(leaderless, () => ask<SwarmShown>(other.daemon.socket, 'GET', '/swarm'));
    await this.#repeat(leaderless, () =>
      ask(node.daemon.socket, 'POST', '/swarm/join', {
        RemoteAddrs: [`${other.address}:2377`],
        AdvertiseAddr: node.address,
        JoinToken: swarm.JoinTokens.Manager,
        Availability: 'drain',
      }),
    );
  }

  /** Changes the specification of a node. */
  async updateNode(id: string, changes: object): Promise<void> {
    await this.change(async () => {
      const { Spec, Version } = await this.ask<NodeShown>('GET', `/nodes/${id}`);
      await this.ask('POST', `/nodes/${id}/update?version=${Version.Index}`, { ...Spec, ...changes });
    });
  }

  /** Bytes in use on the heap of a daemon, after a collection of garbage. */
  async heapOf({ daemon: { pid } }: SwarmNode): Promise<number> {
    const file = join(this.heapReports, String(pid));
    await rm(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    let bytes = 0;
    await until('the size of the heap', settlingLimit, async () => {
      bytes = Number(await readFile(file, 'utf8').catch(() => 0));
      return bytes > 0;
    });
    return bytes;
  }

  /** The last lines of their logs, one manager after the other. */
  lastWritten(lines: number): readonly string[] {
    return this.nodes.flatMap(({ address, daemon }) =>
      daemon
        .log()
        .trim()
        .split('\n')
        .slice(-lines)
        .map((line) => `${address} ${line}`),
    );
  }

  get #answering(): SwarmNode {
    return this.nodes[this.#preferred % this.nodes.length] as SwarmNode;
  }

  #preferred = 0;

  /** Asks another manager than this one from now on. */
  avoid(node: SwarmNode): void {
    this.#preferred = (this.nodes.indexOf(node) + 1) % this.nodes.length;
  }
}
