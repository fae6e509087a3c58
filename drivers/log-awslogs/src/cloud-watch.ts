import { unavailable } from '@gantry/core/errors';
import type { HttpClient } from '@gantry/lib-log';
import { AwsV4Signer } from 'aws4fetch';
import type { CredentialSource } from './credential-source.js';
import type { AwsSettings } from './options.js';

export type Answer = Readonly<Record<string, unknown>>;

/** The service understood a request and refused it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    /** Such as `ResourceNotFoundException`. */
    readonly type: string,
    readonly answer: Answer,
  ) {
    super(`${type}: ${String(answer.message ?? answer.Message ?? '')}`);
  }
}

/** Credentials that the service does not know any more. */
const staleCredentials = /^(ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidClientTokenId)/;

/** The API of CloudWatch Logs: signed requests, one for each action. */
export class CloudWatch {
  constructor(
    private readonly client: HttpClient,
    private readonly credentials: CredentialSource,
    private readonly settings: Pick<AwsSettings, 'region' | 'endpoint' | 'logsFormat'>,
  ) {}

  /** Rejects ServiceError when it is refused, and `unavailable` when the service cannot answer. */
  async call(action: string, body: object, signal: AbortSignal): Promise<Answer> {
    const { region, endpoint, logsFormat } = this.settings;
    const { accessKeyId, secretAccessKey, sessionToken } = await this.credentials.find(signal);
    const text = JSON.stringify(body);
    const signer = new AwsV4Signer({
      method: 'POST',
      url: `${endpoint}/`,
      headers: {
        'Content-Type': 'application/x-amz-json-1.1',
        'X-Amz-Target': `Logs_20140328.${action}`,
        ...(logsFormat !== '' && { 'x-amzn-logs-format': logsFormat }),
      },
      body: text,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 'logs',
      region,
    });
    const { method, url, headers } = await signer.sign();
    const answer = await this.client.send({ method, url, headers: Object.fromEntries(headers), body: text, signal });
    const content = parse(answer.body);
    if (answer.status === 200) return content;
    const type = String(content.__type ?? '').replace(/^.*#/, '');
    if (staleCredentials.test(type)) this.credentials.forget();
    if (answer.status === 400 && type !== '') throw new ServiceError(type, content);
    throw unavailable(`${endpoint} answers ${action} with ${answer.status} ${type}`.trim());
  }
}

function parse(text: string): Answer {
  try {
    return JSON.parse(text || '{}') as Answer;
  } catch {
    return {};
  }
}
