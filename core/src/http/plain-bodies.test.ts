import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { sendJson } from './answer.js';
import { startHarness } from './testing/http-harness.js';

test('objects and lists are answered as JSON, by sendJson and as a body', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/sent', (ctx) => sendJson(ctx, { a: 1 }, 201));
    router.get('/body', (ctx) => {
      ctx.body = 'text';
      ctx.body = [1];
    });
    router.get('/list', (ctx) => {
      ctx.body = { a: 1 };
      ctx.body = [1, 2];
    });
  });
  const answered = async (path: string): Promise<unknown[]> => {
    const { status, headers, text } = await harness.ask('GET', path);
    return [status, headers['content-type'], headers['content-length'], text];
  };
  t.deepEqual(await answered('/sent'), [201, 'application/json', '8', '{"a":1}\n']);
  t.deepEqual(await answered('/body'), [200, 'application/json', '4', '[1]\n']);
  t.deepEqual(await answered('/list'), [200, 'application/json', '6', '[1,2]\n']);
});

test('what Node needs for fetch is not loaded for an answer', async (t) => {
  const program = `
    import Koa from 'koa';
    import { ServerResponse, IncomingMessage } from 'node:http';
    import { takePlainBodies } from ${JSON.stringify(new URL('./plain-bodies.js', import.meta.url).href)};
    Object.defineProperty(globalThis, 'Response', { get() { throw new Error('fetch is loaded'); } });
    const koa = new Koa();
    takePlainBodies(koa);
    const request = new IncomingMessage();
    const ctx = koa.createContext(request, new ServerResponse(request));
    ctx.body = { a: 1 };
    console.log(ctx.status, JSON.stringify(ctx.body));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../..', import.meta.url),
  });
  t.is(stdout, '200 {"a":1}\n');
});
