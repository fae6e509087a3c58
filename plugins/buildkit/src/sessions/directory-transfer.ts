import { invalidArgument } from '@gantry/core/errors';
import type { ClientCall } from '../grpc/grpc-client.js';
import type { FileStat, Packet } from '../protocol/messages.js';
import { isRegularFile } from './go-file-mode.js';
import { packetTypes } from './packet-types.js';

/** Files up to this size are requested ahead and held in memory, in bytes. */
const smallFile = 2 ** 20;
/** Most bytes of small files that are requested at a time. */
const requestWindow = 4 * 2 ** 20;
/** Most files of a directory. */
const maxEntries = 2_000_000;

/** A file, directory or link of a directory that is being transferred. */
export interface TransferredEntry {
  readonly stat: FileStat;
  /** Content of a regular file, to be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Of a small file: the content, which then need not be read. */
  readonly received: readonly Uint8Array[] | undefined;
}

interface Pending {
  readonly stat: FileStat;
  readonly id: number;
  readonly hasContent: boolean;
  isRequested: boolean;
  isComplete: boolean;
  readonly chunks: Uint8Array[];
  length: number;
}

/**
 * Receives a directory: the other side lists it in the order of its names, and sends the content of each file that is
 * requested. Everything is read by the one who iterates, so that a slow disk slows the client down.
 */
export class DirectoryTransfer {
  readonly #packets: AsyncGenerator<object>;
  #listed: Pending[] = [];
  /** Those with content that is not requested yet, in their order. */
  #unrequested: Pending[] = [];
  readonly #byId = new Map<number, Pending>();
  #isListed = false;
  #count = 0;
  #requestedBytes = 0;
  /** Bytes of content received. */
  received = 0;

  constructor(private readonly call: ClientCall) {
    this.#packets = call.messages();
  }

  /** Resolves to what the other side has when it has listed everything; nothing is requested before. */
  async list(): Promise<readonly FileStat[]> {
    while (!this.#isListed) await this.#receive();
    return this.#listed.map(({ stat }) => stat);
  }

  /** Leaves out entries that are listed. */
  omit(paths: ReadonlySet<string>): void {
    const isWanted = ({ stat }: Pending): boolean => !paths.has(stat.path);
    this.#listed = this.#listed.filter(isWanted);
    this.#unrequested = this.#unrequested.filter(isWanted);
  }

  /** All entries, in the order of their names. @throws GrpcError when the client fails. */
  async *entries(): AsyncGenerator<TransferredEntry, void, undefined> {
    try {
      for (;;) {
        this.#requestAhead();
        const [first] = this.#listed;
        if (first === undefined && this.#isListed) break;
        if (first === undefined || (first.isRequested && isSmall(first) && !first.isComplete)) {
          await this.#receive();
          continue;
        }
        this.#listed.shift();
        const received = isSmall(first) && first.isComplete ? first.chunks : undefined;
        yield { stat: first.stat, content: this.#content(first), received };
        if (!first.isComplete) throw new Error(`the content of ${first.stat.path} was not read`);
        this.#byId.delete(first.id);
      }
      this.call.send({ type: packetTypes.end });
      this.call.end();
      for await (const _rest of this.#packets);
    } finally {
      this.call.cancel();
    }
  }

  /** Requests files in their order; a large one only when it is the next. */
  #requestAhead(): void {
    const requests: object[] = [];
    for (let [next] = this.#unrequested; next !== undefined; [next] = this.#unrequested) {
      const fits = isSmall(next) ? this.#requestedBytes + next.stat.size <= requestWindow : this.#listed[0] === next;
      if (!fits) break;
      this.#unrequested.shift();
      next.isRequested = true;
      if (isSmall(next)) this.#requestedBytes += next.stat.size;
      requests.push({ type: packetTypes.request, ID: next.id });
    }
    if (requests.length > 0) this.call.sendAll(requests);
  }

  async *#content(pending: Pending): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      for (let chunk = pending.chunks.shift(); chunk !== undefined; chunk = pending.chunks.shift()) yield chunk;
      if (pending.isComplete) return;
      await this.#receive();
    }
  }

  async #receive(): Promise<void> {
    const { value, done } = await this.#packets.next();
    if (done === true) throw invalidArgument('the client ended the transfer of a directory before it was complete');
    const packet = value as Packet;
    if (packet.type === packetTypes.stat) this.#list(packet.stat);
    else if (packet.type === packetTypes.data) this.#take(packet);
    else if (packet.type === packetTypes.error) {
      throw invalidArgument(`error from sender: ${Buffer.from(packet.data).toString()}`);
    }
  }

  #list(stat: FileStat | null): void {
    if (stat === null) {
      this.#isListed = true;
      return;
    }
    const id = this.#count++;
    if (this.#count > maxEntries) throw invalidArgument(`the directory has more than ${maxEntries} entries`);
    const hasContent = isRegularFile(stat.mode) && stat.linkname === '' && stat.size > 0;
    const pending = { stat, id, hasContent, isRequested: false, isComplete: !hasContent, chunks: [], length: 0 };
    this.#listed.push(pending);
    if (!hasContent) return;
    this.#byId.set(id, pending);
    this.#unrequested.push(pending);
  }

  #take({ ID: id, data }: Packet): void {
    const pending = this.#byId.get(id);
    if (pending === undefined || !pending.isRequested || pending.isComplete) {
      throw invalidArgument(`the client sent content of file ${id}, which was not requested`);
    }
    if (data.length === 0) {
      pending.isComplete = true;
      if (isSmall(pending)) this.#requestedBytes -= pending.stat.size;
      return;
    }
    pending.length += data.length;
    this.received += data.length;
    if (isSmall(pending) && pending.length > 16 * smallFile) {
      throw invalidArgument(`${pending.stat.path} grew to more than ${16 * smallFile} bytes while it was transferred`);
    }
    pending.chunks.push(data);
  }
}

const isSmall = ({ stat }: Pending): boolean => stat.size <= smallFile;
