import { request } from 'node:http';
import engineApi from '@gantry/engine-api';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import consolePlugin from '../index.js';
import { area } from './area.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Starts an engine whose console is asked without a browser. */
export async function startConsole(t: TestOwner, settings: object = {}) {
  const engine = await startEngine(t, [engineApi, area, consolePlugin], {
    plugins: { console: { host: 'tcp://127.0.0.1:0', ...settings } },
  });
  const command = engine.kernel.commands().get('console');
  const invite = async () => {
    const lines: string[] = [];
    for await (const line of command?.([]) ?? []) lines.push(line);
    return lines;
  };
  const lines = await invite();
  const url = /http:\S+(?=\/$)/.exec(lines[0] ?? '')?.[0] ?? '';
  const socketPath = /behind the proxy of (\S+)/.exec(lines[0] ?? '')?.[1];
  const ask = (method: string, path: string, { headers = {}, body }: Asked = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const target = socketPath === undefined ? { host: '127.0.0.1', port: new URL(url).port } : { socketPath };
      const type = body !== undefined && { 'Content-Type': 'application/json' };
      const asked = request({ ...target, method, path, headers: { ...type, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (path === '/api/events') response.destroy();
        });
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      });
      asked.on('error', reject).end(body);
    });
  const token = async () => /token:\s+(\S+)/.exec((await invite())[1] ?? '')?.[1] ?? '';
  const signIn = async () => {
    const body = JSON.stringify({ token: await token() });
    const { headers } = await ask('POST', '/session', { body, headers: { Origin: url } });
    return String(headers['set-cookie']).split(';')[0] ?? '';
  };
  return { engine, url, ask, token, signIn };
}
