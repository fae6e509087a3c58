import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf, unavailable } from '@gantry/core/errors';
import type { HttpClient } from '@gantry/lib-log';
import type { AwsLogsConfig } from './config.js';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since the epoch. */
  readonly expires?: number;
}

/** Milliseconds before their expiry at which credentials are renewed. */
const renewalMargin = 5 * 60 * 1000;
/** Milliseconds for an endpoint that may not exist to respond. */
const endpointTimeout = 2000;
const rolePath = '/latest/meta-data/iam/security-credentials/';

/**
 * Finds credentials in the usual order: the endpoint in the options, the environment, the credentials file, the endpoint
 * in the environment, the role of the machine. Caches them until shortly before they expire.
 */
export class CredentialSource {
  #known: Credentials | undefined;

  constructor(
    private readonly client: HttpClient,
    private readonly config: AwsLogsConfig,
    private readonly path: string | undefined,
  ) {}

  /** Rejects `unavailable` when there are none. */
  async find(signal: AbortSignal): Promise<Credentials> {
    const { expires = Number.POSITIVE_INFINITY } = this.#known ?? {};
    if (this.#known !== undefined && Date.now() < expires - renewalMargin) return this.#known;
    this.#known = await this.#look(signal);
    return this.#known;
  }

  /** The service did not accept them. */
  forget(): void {
    this.#known = undefined;
  }

  async #look(signal: AbortSignal): Promise<Credentials> {
    if (this.path !== undefined) return this.#fromEndpoint(this.path, signal);
    const found = fromEnvironment() ?? (await fromFile());
    if (found !== undefined) return found;
    const path = process.env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
    if (path) return this.#fromEndpoint(path, signal);
    if (this.config.metadata === '') throw unavailable('no credentials for CloudWatch Logs');
    return this.#fromMachine(signal).catch((error: unknown) => {
      throw unavailable(`no credentials for CloudWatch Logs: ${messageOf(error)}`, { cause: error });
    });
  }

  async #fromEndpoint(path: string, signal: AbortSignal): Promise<Credentials> {
    return parse(await this.#ask(new URL(path, this.config.containerCredentials), {}, signal));
  }

  async #fromMachine(signal: AbortSignal): Promise<Credentials> {
    const { metadata } = this.config;
    const url = new URL('/latest/api/token', metadata);
    const token = await this.#ask(url, { 'X-aws-ec2-metadata-token-ttl-seconds': '300' }, signal, 'PUT');
    const headers = { 'X-aws-ec2-metadata-token': token };
    const [role = ''] = (await this.#ask(new URL(rolePath, metadata), headers, signal)).trim().split('\n');
    return parse(await this.#ask(new URL(`${rolePath}${role}`, metadata), headers, signal));
  }

  async #ask(url: URL, headers: Readonly<Record<string, string>>, outer: AbortSignal, method = 'GET'): Promise<string> {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(endpointTimeout)]);
    const { status, body } = await this.client.send({ method, url, headers, signal });
    if (status !== 200) throw unavailable(`${url.origin}${url.pathname} answers ${status}`);
    return body;
  }
}

function parse(text: string): Credentials {
  const answer = JSON.parse(text) as Readonly<Record<string, string | undefined>>;
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = answer;
  if (!AccessKeyId || !SecretAccessKey) throw unavailable('an answer without credentials');
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(Token && { sessionToken: Token }),
    ...(Expiration && { expires: Date.parse(Expiration) }),
  };
}

function fromEnvironment(): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = process.env;
  if (!id || !secret) return undefined;
  return { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
}

async function fromFile(): Promise<Credentials | undefined> {
  const path = process.env.AWS_SHARED_CREDENTIALS_FILE || join(homedir(), '.aws', 'credentials');
  const text = await readFile(path, 'utf8').catch(() => '');
  const profile = process.env.AWS_PROFILE || 'default';
  const section = text.split(/^\s*\[/m).find((part) => part.startsWith(`${profile}]`)) ?? '';
  const value = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)`, 'm').exec(section)?.[1];
  const [id, secret] = [value('aws_access_key_id'), value('aws_secret_access_key')];
  const token = value('aws_session_token');
  if (!id || !secret) return undefined;
  return { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
}
