import { LinuxError } from '../errors/linux-error.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import {
  NETLINK_ROUTE,
  NLM_F_ACK,
  NLM_F_DUMP,
  NLM_F_DUMP_INTR,
  NLM_F_REQUEST,
  NLMSG_DONE,
  NLMSG_ERROR,
} from './constants.js';
import { failureOf } from './failure-of.js';
import { openNetlinkSocket } from './open-netlink-socket.js';

const transfer = ['int', 'void *', 'size_t', 'int'];
const send = new SystemCall<[number, Uint8Array, number, number]>('send', 'int64_t', transfer);
const recv = new SystemCall<[number, Uint8Array, number, number]>('recv', 'int64_t', transfer);

export interface Request {
  readonly type: number;
  /** Besides those every request has. */
  readonly flags: number;
  readonly body: Buffer;
  /** The link or address it is about, for errors. */
  readonly about: string;
}

interface Answer {
  readonly failure: LinuxError | undefined;
}

const headerBytes = 16;
/** Answers of one send must fit into the socket's buffer, some 800 bytes each by the kernel's count. */
const requestsPerSend = 64;
/** A dump during which something changed may have missed it. */
const dumpTries = 8;

/** Requests and their answers, over a socket of the namespace the thread was in when it was made. */
export class NetlinkTransport {
  readonly #fd: number;
  readonly #received = Buffer.allocUnsafeSlow(64 * 1024);
  #sequence = 0;
  /** Of changes under way on other threads, by sequence number. */
  readonly #answers = new Map<number, Answer | undefined>();
  #sending = 0;
  #open = true;

  /** `protocol` is a NETLINK_ number, routing by default. */
  constructor(protocol: number = NETLINK_ROUTE) {
    this.#fd = openNetlinkSocket(protocol);
  }

  /** Sends changes in order and waits for all answers. Throws the first failure. */
  change(requests: readonly Request[]): void {
    let failure: LinuxError | undefined;
    for (const part of inParts(requests)) {
      const { first, bytes } = this.#compose(part, NLM_F_REQUEST | NLM_F_ACK);
      this.#send(bytes, part[0]?.about);
      failure ??= this.#awaitAnswers(first, part);
    }
    if (failure !== undefined) throw failure;
  }

  /**
   * The same, with the kernel's work on a thread of the pool. Answers that another call comes across meanwhile are
   * kept for it.
   */
  async changeLater(requests: readonly Request[]): Promise<void> {
    let failure: LinuxError | undefined;
    for (const part of inParts(requests)) {
      const { first, bytes } = this.#compose(part, NLM_F_REQUEST | NLM_F_ACK);
      for (const index of part.keys()) this.#answers.set(first + index, undefined);
      this.#sending += 1;
      try {
        await send.later(part[0]?.about, this.#fd, bytes, bytes.length, 0);
        failure ??= this.#awaitAnswers(first, part);
      } finally {
        for (const index of part.keys()) this.#answers.delete(first + index);
        this.#sending -= 1;
        this.#closeIfDone();
      }
    }
    if (failure !== undefined) throw failure;
  }

  /** One object; the parser sees bytes it must not keep. */
  get<T>(request: Request, parse: (body: Buffer) => T): T {
    const first = this.#ask(request, NLM_F_REQUEST);
    let found: { readonly value: T } | undefined;
    this.#receive((type, flags, sequence, body) => {
      if (sequence !== first) return false;
      if (type === NLMSG_ERROR) {
        const failure = failureOf(flags, body, request.about);
        if (failure !== undefined) throw failure;
      } else {
        found = { value: parse(body) };
      }
      return true;
    });
    if (found === undefined) throw new LinuxError('ENODATA', 'netlink', { path: request.about });
    return found.value;
  }

  /** All objects for which the parser answers something. */
  dump<T>(request: Request, parse: (body: Buffer) => T | undefined): readonly T[] {
    for (let tries = 1; ; tries += 1) {
      const { items, interrupted } = this.#dumpOnce(request, parse);
      if (!interrupted || tries === dumpTries) return items;
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#closeIfDone();
  }

  /** The descriptor must not be reused while another thread is using it. */
  #closeIfDone(): void {
    if (!this.#open && this.#sending === 0) closeDescriptor(this.#fd);
  }

  #dumpOnce<T>(request: Request, parse: (body: Buffer) => T | undefined) {
    const first = this.#ask(request, NLM_F_REQUEST | NLM_F_DUMP);
    const items: T[] = [];
    let interrupted = false;
    this.#receive((type, flags, sequence, body) => {
      if (sequence !== first) return false;
      interrupted ||= (flags & NLM_F_DUMP_INTR) !== 0;
      if (type === NLMSG_DONE || type === NLMSG_ERROR) {
        const failure = body.length >= 4 ? failureOf(flags, body, request.about) : undefined;
        if (failure !== undefined) throw failure;
        return true;
      }
      const item = parse(body);
      if (item !== undefined) items.push(item);
      return false;
    });
    return { items, interrupted };
  }

  /** @returns the first failure among the answers to a part that was sent. */
  #awaitAnswers(first: number, part: readonly Request[]): LinuxError | undefined {
    const found = new Map<number, Answer>();
    for (const index of part.keys()) {
      const kept = this.#answers.get(first + index);
      if (kept !== undefined) found.set(index, kept);
    }
    if (found.size < part.length) {
      this.#receive((type, flags, sequence, body) => {
        const index = sequence - first;
        if (type !== NLMSG_ERROR || index < 0 || index >= part.length) return false;
        found.set(index, { failure: failureOf(flags, body, part[index]?.about) });
        return found.size === part.length;
      });
    }
    for (const index of part.keys()) {
      const failure = found.get(index)?.failure;
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  #ask(request: Request, flags: number): number {
    const { first, bytes } = this.#compose([request], flags);
    this.#send(bytes, request.about);
    return first;
  }

  #send(bytes: Buffer, about: string | undefined): void {
    send.call(about, this.#fd, bytes, bytes.length, 0);
  }

  /** The bytes of requests, and the sequence number of the first; the others follow. */
  #compose(requests: readonly Request[], flags: number): { readonly first: number; readonly bytes: Buffer } {
    if (!this.#open) throw new LinuxError('EBADF', 'netlink', { detail: 'the socket was closed' });
    const first = this.#sequence + 1;
    const parts: Buffer[] = [];
    for (const request of requests) {
      this.#sequence += 1;
      const header = Buffer.alloc(headerBytes);
      header.writeUInt32LE(headerBytes + request.body.length, 0);
      header.writeUInt16LE(request.type, 4);
      header.writeUInt16LE(request.flags | flags, 6);
      header.writeUInt32LE(this.#sequence, 8);
      parts.push(header, request.body);
    }
    return { first, bytes: Buffer.concat(parts) };
  }

  /** Hands every message to `take` until that says it was the last. */
  #receive(take: (type: number, flags: number, sequence: number, body: Buffer) => boolean): void {
    for (;;) {
      const length = recv.call('netlink', this.#fd, this.#received, this.#received.length, 0);
      let isLast = false;
      for (let offset = 0; offset + headerBytes <= length; ) {
        const size = this.#received.readUInt32LE(offset);
        if (size < headerBytes) break;
        const header = this.#received.subarray(offset, offset + headerBytes);
        const body = this.#received.subarray(offset + headerBytes, Math.min(offset + size, length));
        const sequence = header.readUInt32LE(8);
        const flags = header.readUInt16LE(6);
        // Of a change that another thread has just made.
        if (this.#answers.has(sequence)) this.#answers.set(sequence, { failure: failureOf(flags, body, undefined) });
        isLast = take(header.readUInt16LE(4), flags, sequence, body) || isLast;
        offset += (size + 3) & ~3;
      }
      if (isLast) return;
    }
  }
}

function* inParts(requests: readonly Request[]): Generator<readonly Request[]> {
  for (let start = 0; start < requests.length; start += requestsPerSend) {
    yield requests.slice(start, start + requestsPerSend);
  }
}
