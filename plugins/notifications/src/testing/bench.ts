import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import hostedApi from '@gantry/hosted-api';
import { HostedApi } from '@gantry/hosted-api/service';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import notifications from '../index.js';
import { type Activity, Notifications } from '../service.js';

/** A thread as clients see it. */
export interface ThreadJson {
  readonly id: string;
  readonly reason: string;
  readonly unread: boolean;
  readonly updated_at: string;
  readonly last_read_at: string | null;
  readonly url: string;
  readonly subscription_url: string;
  readonly subject: { readonly title: string; readonly type: string; readonly url: string };
  readonly repository: { readonly full_name: string; readonly private: boolean; readonly [field: string]: unknown };
}

interface AskOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Bench {
  readonly engine: TestEngine;
  readonly url: string;
  /** Makes a token, and its user when absent. */
  token(user: string, ...scopes: readonly string[]): Promise<string>;
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
  /** The user's threads, as `path` lists them. */
  threads(token: string, query?: string, path?: string): Promise<readonly ThreadJson[]>;
  publish(activity: Partial<Activity> & { readonly key?: string }): Promise<number>;
  /** Sends what a code host would. */
  deliver(event: string, payload: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export const secret = 'a secret of the forge';

/** A daemon of a test's own on memory state, over TCP on a free port. */
export async function bench(t: TestOwner, config: object = {}, surface: object = {}): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-notifications-'));
  const secretFile = join(directory, 'secret');
  await writeFile(secretFile, `${secret}\n`);
  const engine = await startEngine(t, [state, hostedApi, notifications], {
    listens: false,
    plugins: {
      'hosted-api': { hosts: ['tcp://127.0.0.1:0'], ...surface },
      notifications: { webhooks: { forge: { secretFile } }, ...config },
    },
  });
  t.teardown(() => rm(directory, { recursive: true }));
  const api = () => engine.kernel.service(HostedApi);
  const ask = (method: string, path: string, { token, body, headers }: AskOptions = {}) =>
    fetch(`http://${api().addresses[0]}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    engine,
    get url() {
      return `http://${api().addresses[0]}`;
    },
    ask,
    async token(user, ...scopes) {
      const granted = scopes.length === 0 ? ['notifications'] : scopes;
      const made = JSON.parse(await operate(api().operatorSocket, { user, scopes: granted })) as { token: string };
      return made.token;
    },
    async threads(token, query = '', path = '/notifications') {
      const answer = await ask('GET', `${path}?${query}`, { token });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as readonly ThreadJson[];
    },
    async publish({ key = 'issues/1', ...activity }) {
      const { threads } = await engine.kernel.service(Notifications).publish({
        repository: { owner: 'octavia', name: 'tools' },
        subject: { key, title: `About ${key}`, type: 'Issue' },
        ...activity,
      });
      return threads;
    },
    deliver(event, payload, headers) {
      const body = JSON.stringify(payload);
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      return ask('POST', '/webhooks/forge', {
        body,
        headers: {
          'Content-Type': 'application/json',
          'X-Host-Event': event,
          'X-Hub-Signature-256': signature,
          ...headers,
        },
      });
    },
  };
}

function operate(socketPath: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: 'POST', path: '/tokens', agent: false });
    asked.once('error', reject);
    asked.once('response', (response) => text(response).then(resolve, reject));
    asked.end(JSON.stringify(body));
  });
}
