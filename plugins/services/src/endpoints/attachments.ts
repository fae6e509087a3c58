import { ClusterService, type ManagerSession, newId } from '@gantry/cluster/service';
import { networkKind } from '@gantry/cluster-networks/service';
import { type ClusterRecord, type ClusterStore, createRecord, deleteRecord } from '@gantry/core/contracts';
import { Clock, inject, injectable, rfc3339 } from '@gantry/core/driver';
import { forbidden, notFound, unavailable } from '@gantry/core/errors';
import type { SwarmAttachment } from '@gantry/networks/service';
import { taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { isFinal } from '../records/task-state.js';
import { meshSandbox } from '../service.js';
import { type AddressAllocation, AddressBook } from './address-book.js';
import { AttachmentQueue } from './attachment-queue.js';

type Session = Pick<ManagerSession, 'store'>;

/** The addresses of containers on networks of the swarm: those of tasks, and those that plain containers get. */
@injectable()
export class Attachments {
  readonly #queues = new WeakMap<ClusterStore, AttachmentQueue>();

  constructor(
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'keepingReferences'>,
    @inject(AddressBook) private readonly addresses: AddressBook,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Resolves to the address, with prefix length. A container that has one keeps it. */
  async attach({ store }: Session, nodeId: string, request: SwarmAttachment): Promise<string> {
    const { containerName, ipv4Address, networkId } = request;
    const ofTask = tasksOn(store, nodeId).find(
      ({ value }) => value.ServiceID !== '' && taskName(value) === containerName,
    );
    const known = ofTask === undefined ? this.#find(store, nodeId, request) : ofTask;
    const address = known?.value.Addresses?.find(({ NetworkID: id }) => id === networkId)?.Addr;
    const isWanted = ipv4Address === undefined || address?.startsWith(`${ipv4Address}/`) === true;
    if (address !== undefined && isWanted) return address;
    if (known !== undefined && ofTask === undefined)
      await this.detach({ store }, nodeId, networkId, request.containerId);
    return this.#queue(store).add((allocation) => this.#create(store, nodeId, request, allocation));
  }

  async detach({ store }: Session, nodeId: string, networkId: string, containerId: string): Promise<void> {
    const find = () => this.#find(store, nodeId, { networkId, containerId });
    if (find() === undefined) return;
    await this.#queue(store).add(() => {
      const record = find();
      return { change: record && deleteRecord(taskKind, record), result: undefined };
    });
  }

  /** Releases the addresses of the node's containers that are on their networks no more. */
  async retain(
    { store }: Session,
    nodeId: string,
    isAttached: (networkId: string, containerId: string) => boolean,
  ): Promise<void> {
    for (const { value } of tasksOn(store, nodeId)) {
      const { Addresses: [address] = [], Attachment: attachment } = value;
      if (attachment === undefined || address === undefined) continue;
      if (isAttached(address.NetworkID, attachment.ContainerID)) continue;
      await this.detach({ store }, nodeId, address.NetworkID, attachment.ContainerID);
    }
  }

  #create(store: ClusterStore, nodeId: string, request: SwarmAttachment, allocation: AddressAllocation) {
    const { aliases, containerId, containerName, ipv4Address, macAddress, networkId } = request;
    const network = store.get(networkKind, networkId)?.value;
    if (network === undefined) throw notFound(`network ${networkId} not found`);
    const isMesh = network.ingress && containerId === meshSandbox.id;
    if (!network.attachable && !isMesh) {
      throw forbidden(
        `Could not attach to network ${network.name}: rpc error: code = PermissionDenied desc = network ` +
          `${network.name} not manually attachable`,
      );
    }
    if (store.leadership.current.role !== 'leader') {
      throw unavailable(`network ${network.name}: this manager is not the leader`);
    }
    const address = allocation.allocate(networkId, ipv4Address);
    if (address === undefined) {
      throw ipv4Address === undefined
        ? unavailable(`no available IPv4 addresses on this network's address pools: ${network.name} (${networkId})`)
        : forbidden(`Address already in use, or not in the subnets of network ${network.name}: ${ipv4Address}`);
    }
    const now = rfc3339(this.clock.now());
    const task: TaskRecord = {
      ID: newId(),
      CreatedAt: now,
      ServiceID: '',
      NodeID: nodeId,
      Spec: { Networks: [{ Target: networkId, Aliases: aliases }] },
      SpecVersion: 0,
      ServiceName: '',
      ServiceLabels: {},
      Ports: [],
      Status: { Timestamp: now, State: 'running', Message: 'attached' },
      DesiredState: 'running',
      Addresses: [{ NetworkID: networkId, Addr: address }],
      Attachment: {
        ContainerID: containerId,
        ContainerName: containerName,
        Aliases: aliases,
        ...(macAddress !== undefined && { MacAddress: macAddress.toLowerCase().replaceAll('-', ':') }),
      },
    };
    return { change: createRecord(taskKind, task.ID, task), result: address };
  }

  #queue(store: ClusterStore): AttachmentQueue {
    const queue =
      this.#queues.get(store) ??
      new AttachmentQueue(store, this.addresses, (change) => this.cluster.keepingReferences(change));
    this.#queues.set(store, queue);
    return queue;
  }

  #find(
    store: ClusterStore,
    nodeId: string,
    { containerId, networkId }: Pick<SwarmAttachment, 'containerId' | 'networkId'>,
  ): ClusterRecord<TaskRecord> | undefined {
    return tasksOn(store, nodeId).find(
      ({ value }) =>
        value.Attachment?.ContainerID === containerId &&
        value.Addresses?.some(({ NetworkID: id }) => id === networkId) === true,
    );
  }
}

const tasksOn = (store: ClusterStore, nodeId: string): readonly ClusterRecord<TaskRecord>[] =>
  store.select(taskKind, 'node', nodeId).filter(({ value }) => !isFinal(value.Status.State));
