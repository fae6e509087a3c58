import { concurrently } from '@gantry/bench';
import type { SwarmNode } from '@gantry/test-nodes';
import { ask } from '../../manager/ask.js';
import { until } from '../../processes/until.js';
import type { FleetProcess } from '../fleet/fleet-process.js';
import type { SwarmShown, YearManagers } from '../managers/year-managers.js';
import { createFile, createService, updateService, type YearService } from './services.js';

/** Of an operator's scripts. */
const concurrentRequests = 5;
/** Seconds. */
const eventLimit = 120;
const failuresADay = 3;
const largeConfigBytes = 900_000;

interface YearWorld {
  readonly managers: YearManagers;
  readonly fleet: FleetProcess;
  readonly options: {
    readonly largeConfigs: number;
    /** The workers that there always are. */
    readonly nodes: number;
    readonly replicas: number;
    readonly services: number;
  };
}

/** The events of a year, each of which leaves the swarm with as many objects as it had. */
export class YearEvents {
  /** How often something happened. */
  readonly counts = {
    updates: 0,
    failures: 0,
    files: 0,
    services: 0,
    nodes: 0,
    managers: 0,
    tokens: 0,
    kills: 0,
    roots: 0,
  };
  #services: readonly YearService[] = [];
  #daily: string | undefined;
  /** From the oldest; the service has the newest. */
  readonly #files: NonNullable<YearService['files']>[] = [];
  #replacedManagers = 0;

  constructor(private readonly world: YearWorld) {}

  /** The services that there are now, with their replicas. */
  get services(): readonly { readonly name: string; readonly replicas: number }[] {
    const daily = this.#daily === undefined ? [] : [{ name: this.#daily, replicas: this.world.options.replicas }];
    return [...this.#services, ...daily];
  }

  async begin(): Promise<void> {
    const { managers, options } = this.world;
    const { nodes, replicas, services } = options;
    const { Id } = await managers.ask<{ readonly Id: string }>('POST', '/networks/create', {
      Name: 'sealed',
      Driver: 'encrypting',
      Options: { encrypted: '' },
    });
    await this.#joinNodes(nodes);
    this.#services = Array.from({ length: services }, (_, index) => ({
      name: `service-${index}`,
      replicas,
      edition: 'first',
      ...(index < 2 && { networkId: Id }),
    }));
    for (const service of this.#services) await createService(managers, service);
  }

  readonly 'services updated' = async (day: number): Promise<void> => {
    this.#services = this.#services.map((service) => ({ ...service, edition: `day ${day}` }));
    await concurrently(this.#services, concurrentRequests, (service) => updateService(this.world.managers, service));
    this.counts.updates += this.#services.length;
  };

  readonly 'tasks failed' = async (): Promise<void> => {
    this.counts.failures += await this.world.fleet.ask('fail', failuresADay);
  };

  readonly 'files replaced' = async (day: number): Promise<void> => {
    const { managers } = this.world;
    const content = Buffer.alloc(2_000, `day ${day} `);
    const files = {
      secret: await createFile(managers, 'secrets', `secret-${day}`, content),
      config: await createFile(managers, 'configs', `config-${day}`, content),
    };
    const [first, ...others] = this.#services as [YearService, ...YearService[]];
    this.#services = [{ ...first, files, edition: `files of day ${day}` }, ...others];
    await updateService(managers, this.#services[0] as YearService);
    this.#files.push(files);
    // The one before may be what a rollback returns to.
    if (this.#files.length > 2) {
      const [old] = this.#files.splice(0, 1);
      await managers.remove('secrets', old?.secret.id ?? '');
      await managers.remove('configs', old?.config.id ?? '');
    }
    this.counts.files += 1;
  };

  readonly 'service replaced' = async (day: number): Promise<void> => {
    const { managers, options } = this.world;
    const { replicas } = options;
    const name = `daily-${day}`;
    await createService(managers, { name, replicas, edition: `day ${day}` });
    if (this.#daily !== undefined) await managers.remove('services', this.#daily);
    this.#daily = name;
    this.counts.services += 1;
  };

  readonly 'node replaced' = async (): Promise<void> => {
    const { fleet, managers } = this.world;
    const id = await fleet.ask('leave');
    await until('the node is shown as down', eventLimit, async () => {
      return (await managers.listed()).some(({ ID, Status }) => ID === id && Status.State === 'down');
    });
    await managers.remove('nodes', id);
    await this.#joinNodes(1);
    this.counts.nodes += 1;
  };

  /** Demoted, taken out and removed; then its engine, which has nothing of the swarm any more, joins as another one. */
  readonly 'manager replaced' = async (_day: number, isFirstHalf: boolean): Promise<void> => {
    const { managers } = this.world;
    if (managers.nodes.length < 3) return; // without a majority of others none can be replaced
    const node = managers.nodes[this.#replacedManagers++ % managers.nodes.length] as SwarmNode;
    managers.avoid(node);
    const shown = (await managers.listed()).find(({ ManagerStatus, Status }) => {
      return ManagerStatus !== undefined && Status.Addr === node.address;
    });
    const id = shown?.ID ?? '';
    await managers.updateNode(id, { Role: 'worker' });
    await until('the manager is a worker', eventLimit, async () => {
      const { Swarm } = await ask<{ readonly Swarm: { readonly ControlAvailable: boolean } }>(
        node.daemon.socket,
        'GET',
        '/info',
      );
      return !Swarm.ControlAvailable;
    });
    await ask(node.daemon.socket, 'POST', '/swarm/leave');
    await until('the former manager is shown as down', eventLimit, async () => {
      return (await managers.listed()).some(({ ID, Status }) => ID === id && Status.State === 'down');
    });
    await managers.remove('nodes', id);
    // Another process too: in the last half of the year they stay, so that their memory can be compared.
    if (isFirstHalf) await node.daemon.restart();
    await managers.join(node);
    await managers.settled();
    this.counts.managers += 1;
  };

  readonly 'join tokens rotated' = async (): Promise<void> => {
    await this.#updateSwarm('&rotateWorkerToken=true&rotateManagerToken=true', {});
    this.counts.tokens += 1;
  };

  /** By the death of its engine in the first half of the year, and of its store in the second. */
  readonly 'leader killed' = async (_day: number, isFirstHalf: boolean): Promise<void> => {
    const { managers } = this.world;
    const leader = await managers.leader();
    managers.avoid(leader);
    if (isFirstHalf) {
      await leader.daemon.crash();
      if (managers.nodes.length > 1) await managers.leader();
      await leader.daemon.restart();
    } else await leader.killStore();
    await managers.settled();
    this.counts.kills += 1;
  };

  readonly 'root rotated' = async (): Promise<void> => {
    const { managers } = this.world;
    const before = await managers.swarm();
    await this.#updateSwarm('', { ForceRotate: ++this.counts.roots });
    await until('the root is rotated', eventLimit, async () => {
      const { RootRotationInProgress: isRotating, TLSInfo } = await managers.swarm();
      return !isRotating && TLSInfo.TrustRoot !== before.TLSInfo.TrustRoot;
    });
  };

  readonly 'large configs' = async (day: number): Promise<void> => {
    const { managers, options } = this.world;
    const names = Array.from({ length: options.largeConfigs }, (_, index) => `large-${day}-${index}`);
    await concurrently(names, concurrentRequests, async (name) => {
      await createFile(managers, 'configs', name, Buffer.alloc(largeConfigBytes, name));
    });
    await concurrently(names, concurrentRequests, (name) => managers.remove('configs', name));
  };

  async #joinNodes(count: number): Promise<void> {
    const { fleet, managers } = this.world;
    const leader = await managers.leader();
    const { JoinTokens } = await managers.swarm();
    await fleet.ask('join', { count, manager: `${leader.address}:2377`, token: JoinTokens.Worker });
  }

  async #updateSwarm(query: string, caChanges: object): Promise<void> {
    const { managers } = this.world;
    await managers.change(async () => {
      const { Spec, Version }: SwarmShown = await managers.swarm();
      const body = { ...Spec, CAConfig: { ...Spec.CAConfig, ...caChanges } };
      await managers.ask('POST', `/swarm/update?version=${Version.Index}${query}`, body);
    });
  }
}
