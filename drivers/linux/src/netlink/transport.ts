import { closeSync } from 'node:fs';
import { LinuxError } from '../errors/linux-error.js';
import {
  AF_NETLINK,
  SO_RCVBUF,
  SO_RCVTIMEO,
  SOCK_CLOEXEC,
  SOCK_RAW,
  SOL_SOCKET,
} from '../ffi/constants.js';
import { SystemCall } from '../ffi/system-call.js';
import { attributeText, readAttributes } from './attributes.js';
import {
  NETLINK_CAP_ACK,
  NETLINK_EXT_ACK,
  NETLINK_GET_STRICT_CHK,
  NETLINK_ROUTE,
  NLM_F_ACK,
  NLM_F_ACK_TLVS,
  NLM_F_CAPPED,
  NLM_F_DUMP,
  NLM_F_DUMP_INTR,
  NLM_F_REQUEST,
  NLMSG_DONE,
  NLMSG_ERROR,
  NLMSGERR_ATTR_MSG,
  SOL_NETLINK,
} from './constants.js';

const socket = new SystemCall<[number, number, number]>('socket', 'int', ['int', 'int', 'int']);
const bind = new SystemCall<[number, Uint8Array, number]>('bind', 'int', ['int', 'void *', 'uint']);
const optionTypes = ['int', 'int', 'int', 'void *', 'uint'];
const setsockopt = new SystemCall<[number, number, number, Uint8Array | Int32Array, number]>(
  'setsockopt',
  'int',
  optionTypes,
);
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
  #open = true;

  constructor() {
    this.#fd = socket.call('netlink', AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    try {
      const on = Int32Array.of(1);
      // Each is an improvement that older kernels lack: reasons in words, short answers, dumps filtered at the source.
      for (const option of [NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK]) {
        setsockopt.attempt(this.#fd, SOL_NETLINK, option, on, 4);
      }
      setsockopt.attempt(this.#fd, SOL_SOCKET, SO_RCVBUF, Int32Array.of(1 << 20), 4);
      // The answer is there when a send returns. Should that ever be wrong, the daemon must not stand still.
      const fiveSeconds = Buffer.alloc(16);
      fiveSeconds.writeBigInt64LE(5n);
      setsockopt.call('netlink', this.#fd, SOL_SOCKET, SO_RCVTIMEO, fiveSeconds, 16);
      const address = Buffer.alloc(12);
      address.writeUInt16LE(AF_NETLINK);
      bind.call('netlink', this.#fd, address, 12);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** Sends changes in order and waits for all answers. Throws the first failure. */
  change(requests: readonly Request[]): void {
    let failure: LinuxError | undefined;
    for (let start = 0; start < requests.length; start += requestsPerSend) {
      const part = requests.slice(start, start + requestsPerSend);
      const first = this.#send(part, NLM_F_REQUEST | NLM_F_ACK);
      let answers = 0;
      this.#receive((type, flags, sequence, body) => {
        const index = sequence - first;
        if (type !== NLMSG_ERROR || index < 0 || index >= part.length) return false;
        failure ??= failureOf(flags, body, part[index]?.about);
        answers += 1;
        return answers === part.length;
      });
    }
    if (failure !== undefined) throw failure;
  }

  /** One object; the parser sees bytes it must not keep. */
  get<T>(request: Request, parse: (body: Buffer) => T): T {
    const first = this.#send([request], NLM_F_REQUEST);
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
    closeSync(this.#fd);
  }

  #dumpOnce<T>(request: Request, parse: (body: Buffer) => T | undefined) {
    const first = this.#send([request], NLM_F_REQUEST | NLM_F_DUMP);
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

  /** @returns the sequence number of the first; the others follow. */
  #send(requests: readonly Request[], flags: number): number {
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
    const bytes = Buffer.concat(parts);
    send.call(requests[0]?.about, this.#fd, bytes, bytes.length, 0);
    return first;
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
        isLast = take(header.readUInt16LE(4), header.readUInt16LE(6), header.readUInt32LE(8), body) || isLast;
        offset += (size + 3) & ~3;
      }
      if (isLast) return;
    }
  }
}

/** The failure an acknowledgement tells of; undefined for success. */
function failureOf(flags: number, body: Buffer, about: string | undefined): LinuxError | undefined {
  const error = body.readInt32LE(0);
  if (error === 0) return undefined;
  const detail = (flags & NLM_F_ACK_TLVS) === 0 ? undefined : reasonOf(flags, body);
  return new LinuxError(-error, 'netlink', {
    ...(about !== undefined && { path: about }),
    ...(detail !== undefined && { detail }),
  });
}

function reasonOf(flags: number, body: Buffer): string | undefined {
  const echoed = (flags & NLM_F_CAPPED) !== 0 ? headerBytes : body.readUInt32LE(4);
  return attributeText(readAttributes(body.subarray(4 + ((echoed + 3) & ~3))).get(NLMSGERR_ATTR_MSG));
}
