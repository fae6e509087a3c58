import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isRecord } from '@gantry/core/driver';
import { invalidArgument, messageOf, unavailable } from '@gantry/core/errors';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A request that the engine refused. */
export class EngineRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Asks the engine by its API, as any client does. */
export class EngineClient {
  constructor(private readonly socketPath: string) {}

  /** @param hosts where the engine listens. @throws EngineError `invalid-argument` when none is a socket of this host. */
  static of(hosts: unknown): EngineClient {
    const all = Array.isArray(hosts) ? hosts.map(String) : [];
    const socket = all.find((host) => host.startsWith('unix://'));
    if (socket === undefined) {
      throw invalidArgument(
        `the engine listens on ${all.join(', ') || 'nothing'}: name its socket by --host unix://PATH`,
      );
    }
    return new EngineClient(socket.slice('unix://'.length));
  }

  async get(path: string): Promise<unknown> {
    return JSON.parse((await this.#succeed('GET', path)).body);
  }

  /** Whether something is there. */
  async has(path: string): Promise<boolean> {
    const answer = await this.#send('GET', path);
    if (answer.status === 404) return false;
    if (answer.status >= 400) throw refusalOf(answer);
    return true;
  }

  async post(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
    const { body: answer } = await this.#succeed('POST', path, Buffer.from(JSON.stringify(body)), 'application/json');
    const value: unknown = answer === '' ? {} : JSON.parse(answer);
    return isRecord(value) ? value : {};
  }

  async remove(path: string): Promise<void> {
    await this.#succeed('DELETE', path);
  }

  /** Sends an archive. Rejects also when the engine reports an error behind its answer's head. */
  async upload(path: string, archive: AsyncIterable<Buffer>): Promise<void> {
    const { body } = await this.#succeed('POST', path, archive, 'application/x-tar');
    for (const line of body.split('\n').filter((each) => each.trim() !== '')) {
      const message: unknown = JSON.parse(line);
      if (isRecord(message) && typeof message.error === 'string') throw new EngineRefusal(500, message.error);
    }
  }

  async #succeed(method: string, path: string, body?: Body, type?: string): Promise<Answer> {
    const answer = await this.#send(method, path, body, type);
    if (answer.status >= 400) throw refusalOf(answer);
    return answer;
  }

  async #send(method: string, path: string, body: Body = Buffer.alloc(0), type?: string): Promise<Answer> {
    const headers = {
      ...(Buffer.isBuffer(body) && { 'Content-Length': body.length }),
      ...(type !== undefined && { 'Content-Type': type }),
    };
    const outgoing = request({ socketPath: this.socketPath, path, method, headers });
    const answered = new Promise<Answer>((resolve, reject) => {
      outgoing.on('error', reject).on('response', (response) => {
        text(response).then((said) => resolve({ status: response.statusCode ?? 500, body: said }), reject);
      });
    });
    // An engine that refuses an archive answers before it has read all of it.
    const sent = pipeline(
      Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : Readable.from(body),
      outgoing,
    );
    const failure = sent.then(
      () => undefined,
      (error: unknown) => error,
    );
    try {
      return await answered;
    } catch (error) {
      const cause = (await failure) ?? error;
      if (!('code' in (cause as object))) throw cause;
      throw unavailable(`the engine at ${this.socketPath} does not answer: ${messageOf(cause)}`, { cause });
    }
  }
}

type Body = Buffer | AsyncIterable<Buffer>;

function refusalOf({ status, body }: Answer): EngineRefusal {
  let message = body;
  try {
    const value: unknown = JSON.parse(body);
    if (isRecord(value) && typeof value.message === 'string') message = value.message;
  } catch {
    // Not an answer of the API: it is shown as it is.
  }
  return new EngineRefusal(status, message.trim());
}
