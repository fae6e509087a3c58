import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import hostedApi from '@gantry/hosted-api';
import { type HostedClient, hostedClient } from '@gantry/hosted-api/testing';
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

export interface InboxHarness extends HostedClient {
  readonly engine: TestEngine;
  /** The user's threads, as `path` lists them. */
  threads(token: string, query?: string, path?: string): Promise<readonly ThreadJson[]>;
  publish(activity: Partial<Activity> & { readonly key?: string }): Promise<number>;
  /** Sends a signed delivery, as a code host does. */
  deliver(event: string, payload: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export const secret = 'a secret of the forge';

/** A daemon with state in memory, on a free TCP port. */
export async function inboxHarness(t: TestOwner, config: object = {}, surface: object = {}): Promise<InboxHarness> {
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
  const client = hostedClient(engine, 'notifications');
  const more: Omit<InboxHarness, keyof HostedClient> = {
    engine,
    async threads(token, query = '', path = '/notifications') {
      const response = await client.ask('GET', `${path}?${query}`, { token });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as readonly ThreadJson[];
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
      return client.ask('POST', '/webhooks/forge', {
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
  return Object.assign(client, more);
}
