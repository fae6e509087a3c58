import { gunzipSync } from 'node:zlib';
import { type Certificate, type StandIn, standInHttp } from '@gantry/lib-log/testing';

interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly events: readonly Record<string, unknown>[];
}

export interface Collector extends StandIn {
  readonly requests: Received[];
  /** How often it was asked whether it is there. */
  verifications: number;
  /** Chooses the status of an answer, by the text of the events. */
  judge: (text: string) => number;
  /** What answers with status 400 give as the reason. */
  code: number;
}

/** Stands in for the HTTP event collector of Splunk. */
export async function standInCollector(options: { port?: number; certificate?: Certificate } = {}): Promise<Collector> {
  const requests: Received[] = [];
  const collector = { requests, verifications: 0, judge: (_text: string) => 200, code: 6 };
  const server = await standInHttp((request, body, response) => {
    if (request.method === 'OPTIONS') {
      collector.verifications++;
      response.end();
      return;
    }
    const isRight = request.url === '/services/collector/event/1.0' && request.headers.authorization === 'Splunk t0ken';
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    const status = isRight ? collector.judge(text) : 403;
    if (status === 200) requests.push({ headers: request.headers, events: eventsIn(text) });
    response.statusCode = status;
    response.end(
      JSON.stringify({ text: status === 200 ? 'Success' : 'Failure', code: status === 400 ? collector.code : 0 }),
    );
  }, options);
  return Object.assign(collector, server);
}

/** Events follow each other with nothing in between. */
const eventsIn = (text: string): Record<string, unknown>[] =>
  text
    .split(/(?<=\})(?=\{"time")/)
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event) as Record<string, unknown>);
