import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestOwner } from './engine.js';

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A page in a headless browser, driven over its debugging pipe. */
export interface BrowserPage {
  open(url: string): Promise<void>;
  /** The value of an expression in the page; a promise is awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true, for half a minute: browsers are slow on busy machines. */
  until(condition: string): Promise<void>;
}

export async function openBrowser(t: TestOwner): Promise<BrowserPage> {
  const profile = await mkdtemp(join(tmpdir(), 'gantry-browser-'));
  const child = spawn(
    'chromium',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  t.teardown(async () => {
    const gone = once(child, 'exit');
    if (child.kill('SIGKILL')) await gone;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  });
  const send = talk(child);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const ask = (method: string, parameters: object) => send(method, parameters, String(sessionId));
  const evaluate = async <T>(expression: string): Promise<T> => {
    const parameters = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await ask('Runtime.evaluate', parameters);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  };
  return {
    async open(url) {
      await ask('Page.navigate', { url });
    },
    evaluate,
    async until(condition) {
      for (const deadline = Date.now() + 30_000; Date.now() < deadline; await delay(25)) {
        // A page that is being left cannot answer.
        if (await evaluate<boolean>(condition).catch(() => false)) return;
      }
      throw new Error(`waited in vain: ${condition}`);
    },
  };
}

/** Messages in both directions end in a zero byte. */
function talk(child: ChildProcess) {
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  child.once('exit', () => {
    for (const [id, settle] of waiting) settle({ id, error: { message: 'the browser ended' } });
  });
  let [last, rest] = [0, ''];
  output.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      if (message.id === undefined) continue;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  return (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, ({ error, result = {} }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`);
    });
}
