import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface AskOptions {
  /** An object is sent as JSON, bytes as an archive. */
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call of the API. Undefined when the daemon did not answer it to the end: then nothing was acknowledged. */
export function ask(
  socketPath: string,
  method: string,
  target: string,
  { body, headers }: AskOptions = {},
): Promise<Answer | undefined> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const type = Buffer.isBuffer(body) ? 'application/x-tar' : 'application/json';
  return new Promise((resolve) => {
    const sent = request(
      {
        socketPath,
        method,
        path: `/v1.24${target}`,
        agent: false,
        headers: { ...(bytes !== undefined && { 'Content-Type': type }), ...headers },
      },
      (response) => {
        buffer(response).then(
          (all) => resolve({ status: response.statusCode ?? 0, text: String(all) }),
          () => resolve(undefined),
        );
      },
    );
    sent.on('error', () => resolve(undefined));
    sent.end(bytes);
  });
}

/** Whether a call was done: some fail in the middle of their answer. */
export const isDone = (answer: Answer): boolean => answer.status < 400 && !answer.text.includes('"errorDetail"');
