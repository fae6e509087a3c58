import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Question,
  RECURSION_AVAILABLE,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { ContainerNames } from './container-names.js';

/** Seconds: short, because containers are replaced often. */
const ttl = 10;

const responseCodes = { serverFailure: 2, notImplemented: 4 } as const;

/** Parses a DNS query. @returns undefined for anything else. */
export function readQuestion(message: Buffer): DecodedPacket | undefined {
  try {
    const packet = decode(message);
    return packet.type === 'query' && packet.questions?.length === 1 ? packet : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Answers a query from the names of containers; undefined when it has to be forwarded. A known name without an address
 * of the requested family has an empty answer: forwarding it could find an unrelated host of that name. An answer longer
 * than the limit, in bytes, is truncated and flagged, so that the client retries over TCP.
 */
export function answerLocally(
  packet: DecodedPacket,
  names: ContainerNames,
  limit = Number.POSITIVE_INFINITY,
): Buffer | undefined {
  const question = packet.questions?.[0];
  if (question === undefined) return undefined;
  const answers = localAnswers(question, names);
  if (answers === undefined) return undefined;
  const flags = AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | ((packet.flags ?? 0) & 0x100);
  const response = { type: 'response' as const, id: packet.id ?? 0, questions: [question] };
  for (let count = answers.length; ; count = Math.floor(count / 2)) {
    const cut = count < answers.length ? TRUNCATED_RESPONSE : 0;
    const message = encode({ ...response, flags: flags | cut, answers: answers.slice(0, count) });
    if (message.length <= limit || count === 0) return message;
  }
}

/** The largest datagram that the client accepts, in bytes (RFC 1035, RFC 6891). */
export function datagramLimit({ additionals = [] }: DecodedPacket): number {
  const option = additionals.find((record) => record.type === 'OPT');
  return Math.max(512, option !== undefined && 'udpPayloadSize' in option ? option.udpPayloadSize : 0);
}

/** An answer without records that carries a response code. */
export function refusal(packet: DecodedPacket, why: keyof typeof responseCodes): Buffer {
  return encode({
    type: 'response',
    id: packet.id ?? 0,
    flags: RECURSION_AVAILABLE | ((packet.flags ?? 0) & 0x100) | responseCodes[why],
    questions: packet.questions ?? [],
  });
}

function localAnswers(question: Question, names: ContainerNames): readonly Answer[] | undefined {
  const { name, type } = question;
  const bare = name.replace(/\.$/, '');
  if (type === 'A' || type === 'AAAA') {
    const addresses = names.lookup(bare, type === 'A' ? 4 : 6);
    return addresses?.map((data) => ({ type, name, ttl, data }));
  }
  if (type === 'PTR') {
    const address = reversedAddress(bare);
    const found = address === undefined ? undefined : names.reverse(address);
    // A container's name may be longer than a DNS label.
    return found === undefined || found.split('.').some((label) => label.length > 63)
      ? undefined
      : [{ type: 'PTR', name, ttl, data: found }];
  }
  return names.lookup(bare, 4) === undefined ? undefined : [];
}

/** `4.3.2.1.in-addr.arpa` is 1.2.3.4; IPv6 in its shortest form. */
export function reversedAddress(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower.endsWith('.in-addr.arpa')) {
    const parts = lower.slice(0, -'.in-addr.arpa'.length).split('.');
    return parts.length === 4 ? parts.reverse().join('.') : undefined;
  }
  if (!lower.endsWith('.ip6.arpa')) return undefined;
  const digits = lower.slice(0, -'.ip6.arpa'.length).split('.').reverse().join('');
  if (!/^[0-9a-f]{32}$/.test(digits)) return undefined;
  return new URL(`http://[${digits.match(/.{4}/g)?.join(':')}]`).hostname.slice(1, -1);
}
