import { PassThrough, pipeline, type Readable } from 'node:stream';
import { EngineError, invalidArgument, unavailable } from '@gantry/core/errors';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status as statusCodes,
} from '@grpc/grpc-js';
import {
  type Codec,
  type Compare,
  codec,
  type KeyValue,
  type RequestOp,
  type ResponseHeader,
  type WatchResponse,
} from './messages.js';

type Headed<T = object> = T & { readonly header: ResponseHeader };
type WatchRequest = { createRequest: { key: Buffer; rangeEnd: Buffer; startRevision: number } };
/** As etcd has it: `ID` is decimal. */
export type Member = { ID: string; name: string; peerURLs: string[]; isLearner: boolean };

/** What a member says of itself. `errors` has the alarms of all members. */
export type MemberStatus = {
  leader: string;
  dbSize: string;
  dbSizeInUse: string;
  isLearner: boolean;
  errors: string[];
};

const calls = {
  range: codec<object, Headed<{ kvs: KeyValue[]; more: boolean }>>('RangeRequest', 'RangeResponse'),
  txn: codec<object, Headed<{ succeeded: boolean }>>('TxnRequest', 'TxnResponse'),
  compact: codec<object, Headed>('CompactionRequest', 'CompactionResponse'),
  watch: codec<WatchRequest, WatchResponse>('WatchRequest', 'WatchResponse'),
  status: codec<object, Headed<MemberStatus>>('StatusRequest', 'StatusResponse'),
  alarm: codec<object, Headed<{ alarms: { memberID: string; alarm: number }[] }>>('AlarmRequest', 'AlarmResponse'),
  defragment: codec<object, Headed>('DefragmentRequest', 'DefragmentResponse'),
  snapshot: codec<object, { blob: Buffer }>('SnapshotRequest', 'SnapshotResponse'),
  members: codec<object, Headed<{ members: Member[] }>>('MemberListRequest', 'MemberListResponse'),
  addMember: codec<object, Headed<{ member: Member }>>('MemberAddRequest', 'MemberAddResponse'),
  updateMember: codec<object, Headed>('MemberUpdateRequest', 'MemberUpdateResponse'),
  changeMember: codec<object, Headed>('MemberRequest', 'MembersResponse'),
  moveLeader: codec<object, Headed>('MoveLeaderRequest', 'MoveLeaderResponse'),
};

const alarmActions = { list: 0, deactivate: 2 } as const;
const spaceAlarm = 1;

/** Milliseconds in which another member takes the lead, or never does. */
const mostTransfer = 3_000;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly limit?: number;
}

/** etcd's API over its Unix socket. Failed calls reject with `unavailable`, except where a request is at fault. */
export class EtcdClient {
  readonly #client: Client;

  /** @param callLimit milliseconds that a call may take, the wait for etcd's restart included. */
  constructor(
    socket: string,
    readonly callLimit: number,
  ) {
    this.#client = new Client(`unix:${socket}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.initial_reconnect_backoff_ms': 50,
      'grpc.min_reconnect_backoff_ms': 50,
      'grpc.max_reconnect_backoff_ms': 500,
    });
  }

  close(): void {
    this.#client.close();
  }

  range(request: { key: Buffer; rangeEnd: Buffer; limit: number; revision: number }, options?: CallOptions) {
    return this.#call('/etcdserverpb.KV/Range', calls.range, request, options);
  }

  transact(request: { compare: readonly Compare[]; success: readonly RequestOp[] }, options?: CallOptions) {
    return this.#call('/etcdserverpb.KV/Txn', calls.txn, request, options);
  }

  compact(revision: number) {
    return this.#call('/etcdserverpb.KV/Compact', calls.compact, { revision, physical: true }, { limit: 60_000 });
  }

  status(options?: CallOptions) {
    return this.#call('/etcdserverpb.Maintenance/Status', calls.status, {}, options);
  }

  /** Frees the space of what was compacted; etcd answers nothing else meanwhile. */
  defragment() {
    return this.#call('/etcdserverpb.Maintenance/Defragment', calls.defragment, {}, { limit: 60_000 });
  }

  /** Lets etcd write again after its quota was reached. */
  async disarmSpaceAlarm(): Promise<void> {
    const change = (request: object) => this.#call('/etcdserverpb.Maintenance/Alarm', calls.alarm, request);
    const { alarms } = await change({ action: alarmActions.list });
    // Each is of one member, and only deactivated by its id.
    for (const { alarm, memberID } of alarms) {
      if (alarm === spaceAlarm) await change({ action: alarmActions.deactivate, alarm, memberID });
    }
  }

  async members(options?: CallOptions): Promise<readonly Member[]> {
    return (await this.#call('/etcdserverpb.Cluster/MemberList', calls.members, {}, options)).members;
  }

  async addLearner(peerUrl: string): Promise<Member> {
    const request = { peerURLs: [peerUrl], isLearner: true };
    return (await this.#call('/etcdserverpb.Cluster/MemberAdd', calls.addMember, request)).member;
  }

  async updateMember(id: string, peerUrl: string): Promise<void> {
    const request = { ID: id, peerURLs: [peerUrl] };
    await this.#call('/etcdserverpb.Cluster/MemberUpdate', calls.updateMember, request);
  }

  async promoteMember(id: string): Promise<void> {
    await this.#call('/etcdserverpb.Cluster/MemberPromote', calls.changeMember, { ID: id });
  }

  async removeMember(id: string): Promise<void> {
    await this.#call('/etcdserverpb.Cluster/MemberRemove', calls.changeMember, { ID: id });
  }

  /** A leader whose message to the next one is lost waits until the limit, though it has given up by then. */
  async moveLeader(id: string): Promise<void> {
    const limit = Math.min(this.callLimit, mostTransfer);
    await this.#call('/etcdserverpb.Maintenance/MoveLeader', calls.moveLeader, { targetID: id }, { limit });
  }

  snapshot(signal?: AbortSignal): Readable {
    const { encode, decode } = calls.snapshot;
    const stream = this.#client.makeServerStreamRequest(
      '/etcdserverpb.Maintenance/Snapshot',
      encode,
      (bytes: Buffer) => decode(bytes).blob,
      {},
    );
    signal?.addEventListener('abort', () => stream.cancel(), { once: true });
    const bytes = new PassThrough();
    pipeline(stream, bytes, () => undefined); // a failure destroys the stream that the caller reads
    return bytes;
  }

  watch(request: WatchRequest): ClientDuplexStream<WatchRequest, WatchResponse> {
    const { encode, decode } = calls.watch;
    const stream = this.#client.makeBidiStreamRequest('/etcdserverpb.Watch/Watch', encode, decode, waitForReady());
    stream.write(request);
    return stream;
  }

  #call<Q, A>(path: string, { encode, decode }: Codec<Q, A>, request: Q, options: CallOptions = {}): Promise<A> {
    const { signal, limit = this.callLimit } = options;
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        path,
        encode,
        decode,
        request,
        waitForReady(),
        { deadline: Date.now() + limit },
        (error, answer) => {
          signal?.removeEventListener('abort', cancel);
          if (error !== null) reject(signal?.aborted ? (signal.reason as Error) : toEngineError(error));
          else resolve(answer as A);
        },
      );
      const cancel = (): void => call.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }
}

/** Calls wait for etcd while it is started or restarted. */
const waitForReady = (): Metadata => new Metadata({ waitForReady: true });

/** The store has reached its quota, and takes no more records. */
export class SpaceExceeded extends EngineError {
  constructor(options?: ErrorOptions) {
    super(
      'unavailable',
      'the store of the swarm has reached its quota: remove objects of the swarm, or raise quotaBytes of the driver etcd',
      options,
    );
  }
}

function toEngineError(cause: ServiceError): EngineError {
  const { code, details } = cause;
  if (code === statusCodes.RESOURCE_EXHAUSTED && /space exceeded/.test(details)) return new SpaceExceeded({ cause });
  if (code === statusCodes.INVALID_ARGUMENT) return invalidArgument(`etcd: ${details}`, { cause });
  if (code === statusCodes.DEADLINE_EXCEEDED)
    return unavailable('the store of the swarm did not answer in time', { cause });
  return unavailable(`the store of the swarm is unavailable: ${details}`, { cause });
}
