import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type StandIn, standInHttp } from '@gantry/lib-log/testing';

interface Event {
  readonly timestamp: number;
  readonly message: string;
}

interface Request {
  readonly logGroupName: string;
  readonly logStreamName: string;
  readonly logEvents: Event[];
  readonly sequenceToken?: string;
}

export interface CloudWatchStandIn extends StandIn {
  readonly groups: Set<string>;
  /** Each stream's requests, by `group/stream`. */
  readonly streams: Map<string, Event[][]>;
  /** Actions in the order they came. */
  readonly actions: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Tokens are asked for, as the service did for years. */
  wantsTokens: boolean;
  /** Answers in place of the service, the first once. */
  readonly failures: { readonly status: number; readonly type: string }[];
  /** What the next answer to events says about those that are not taken. */
  rejected: object | undefined;
  messages(stream: string): string[];
}

export const accessKey = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/EXAMPLEKEY' };

/** Stands in for CloudWatch Logs: streams, sequence tokens, limits and signatures. */
export async function standInCloudWatch(): Promise<CloudWatchStandIn> {
  const state = {
    groups: new Set<string>(),
    streams: new Map<string, Event[][]>(),
    actions: [] as string[],
    headers: [] as IncomingMessage['headers'][],
    failures: [] as { status: number; type: string }[],
    wantsTokens: false,
    rejected: undefined as object | undefined,
    messages: (stream: string): string[] => (state.streams.get(stream) ?? []).flat().map(({ message }) => message),
  };
  const tokens = new Map<string, string>();

  const act = (action: string, request: Request): object => {
    const name = `${request.logGroupName}/${request.logStreamName}`;
    if (action === 'CreateLogGroup') {
      if (state.groups.has(request.logGroupName)) throw new Refusal('ResourceAlreadyExistsException');
      state.groups.add(request.logGroupName);
      return {};
    }
    if (!state.groups.has(request.logGroupName)) throw new Refusal('ResourceNotFoundException');
    if (action === 'CreateLogStream') {
      if (state.streams.has(name)) throw new Refusal('ResourceAlreadyExistsException');
      state.streams.set(name, []);
      return {};
    }
    const stream = state.streams.get(name);
    if (stream === undefined) throw new Refusal('ResourceNotFoundException');
    const expected = tokens.get(name);
    if (state.wantsTokens && request.sequenceToken !== expected) {
      throw new Refusal('InvalidSequenceTokenException', { expectedSequenceToken: expected });
    }
    check(request.logEvents);
    stream.push(request.logEvents);
    const nextSequenceToken = `token${stream.length}`;
    tokens.set(name, nextSequenceToken);
    const { rejected } = state;
    state.rejected = undefined;
    return { nextSequenceToken, ...(rejected !== undefined && { rejectedLogEventsInfo: rejected }) };
  };

  const server = await standInHttp((request, body, response) => {
    const action = `${request.headers['x-amz-target']}`.replace('Logs_20140328.', '');
    state.actions.push(action);
    state.headers.push(request.headers);
    const answer = (status: number, content: object) => {
      response.statusCode = status;
      response.end(JSON.stringify(content));
    };
    const failure = state.failures.shift();
    if (failure !== undefined) return answer(failure.status, { __type: failure.type, message: 'failure' });
    if (!isSigned(request, body)) return answer(400, { __type: 'InvalidSignatureException' });
    try {
      answer(200, act(action, JSON.parse(body.toString()) as Request));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(400, { __type: `com.amazonaws.logs#${error.message}`, message: 'refused', ...error.content });
    }
  });
  return Object.assign(state, server);
}

class Refusal extends Error {
  constructor(
    type: string,
    readonly content: object = {},
  ) {
    super(type);
  }
}

function check(events: readonly Event[]): void {
  const bytes = events.reduce((sum, { message }) => sum + Buffer.byteLength(message) + 26, 0);
  const isOrdered = events.every(({ timestamp }, index) => timestamp >= (events[index - 1]?.timestamp ?? 0));
  const isFilled = events.every(({ message }) => message.length > 0 && !message.includes('poison'));
  const isSmall = bytes <= 1_048_576 && events.length <= 10_000;
  if (!isOrdered || !isFilled || !isSmall || events.length === 0) throw new Refusal('InvalidParameterException');
}

const hash = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signature version 4, by its description. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/logs\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, id, date = '', region = '', names = '', signature] = pattern.exec(`${request.headers.authorization}`) ?? [];
  const headers = names.split(';').map((name) => `${name}:${`${request.headers[name]}`.trim()}\n`);
  const canonical = [request.method, request.url, '', headers.join(''), names, hash(body)].join('\n');
  const scope = `${date}/${region}/logs/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = sign(sign(sign(sign(`AWS4${accessKey.secret}`, date), region), 'logs'), 'aws4_request');
  return id === accessKey.id && sign(key, text).toString('hex') === signature;
}
