import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { unavailable } from '@gantry/core/errors';
import {
  type HttpAnswer,
  HttpClient,
  type LogMessage,
  type Outlet,
  type SendResult,
  secureOptions,
} from '@gantry/lib-log';
import type { LogOptions } from '@gantry/lib-log/options';
import type { EventFormat } from './event-format.js';
import type { SplunkSettings } from './options.js';

const pack = promisify<Buffer, object, Buffer>(gzip);
const eventPath = '/services/collector/event/1.0';

/** Events to Splunk's HTTP event collector, some hundred in a request. */
export class CollectorOutlet implements Outlet {
  #client: HttpClient | undefined;
  #isVerified: boolean;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    private readonly settings: SplunkSettings,
    private readonly options: LogOptions,
    private readonly format: EventFormat,
  ) {
    this.#isVerified = !settings.verifies;
    this.#headers = {
      Authorization: `Splunk ${settings.token}`,
      ...(settings.gzip !== undefined && { 'Content-Encoding': 'gzip' }),
      ...(settings.acknowledges && { 'X-Splunk-Request-Channel': randomUUID() }),
    };
  }

  async send(messages: readonly LogMessage[], { signal }: { readonly signal: AbortSignal }): Promise<SendResult> {
    this.#client ??= await this.#connect();
    if (!this.#isVerified) await this.#verify(this.#client, signal);
    const events = messages.flatMap((message) => this.format.json(message) ?? []);
    return { dropped: await this.#post(this.#client, events, signal) };
  }

  async close(): Promise<void> {
    this.#client?.close();
  }

  async #connect(): Promise<HttpClient> {
    const names = {
      authority: 'splunk-capath',
      serverName: 'splunk-caname',
      skipVerify: 'splunk-insecureskipverify',
    };
    return new HttpClient(await secureOptions(this.options, names));
  }

  async #verify(client: HttpClient, signal: AbortSignal): Promise<void> {
    const answer = await client.send({ method: 'OPTIONS', url: `${this.settings.url}${eventPath}`, signal });
    if (answer.status !== 200) throw unavailable(`failed to verify connection - ${described(answer)}`);
    this.#isVerified = true;
  }

  /** What the server finds too much is halved; what it will never take is given up. @returns how many that was. */
  async #post(client: HttpClient, events: readonly string[], signal: AbortSignal): Promise<number> {
    if (events.length === 0) return 0;
    const { gzip: level, url } = this.settings;
    const text = Buffer.from(events.join(''));
    const body = level === undefined ? text : await pack(text, { level });
    const answer = await client.send({
      method: 'POST',
      url: `${url}${eventPath}`,
      headers: this.#headers,
      body,
      signal,
    });
    if (answer.status === 200) return 0;
    if (!isAboutEvents(answer)) throw unavailable(`failed to send event - ${described(answer)}`);
    if (events.length === 1) return 1;
    const half = Math.ceil(events.length / 2);
    return (
      (await this.#post(client, events.slice(0, half), signal)) + (await this.#post(client, events.slice(half), signal))
    );
  }
}

/** Codes of the collector for what is wrong with an event itself; others, such as a wrong index, may be put right. */
const eventCodes = [5, 6, 12, 13, 15];

function isAboutEvents({ status, body }: HttpAnswer): boolean {
  const code = Number(/"code"\s*:\s*(\d+)/.exec(body)?.[1]);
  return status === 413 || (status === 400 && eventCodes.includes(code));
}

const described = ({ status, body }: HttpAnswer): string => `${status} - ${body.slice(0, 1024)}`;
