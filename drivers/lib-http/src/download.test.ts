import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { download } from './download.js';

test('redirections are followed to http and https only, and any port is allowed', async (t) => {
  const server = createServer((request, response) => {
    const to: Record<string, string> = { '/once': '/text', '/away': 'file:///etc/passwd', '/round': '/round' };
    const location = to[request.url ?? ''];
    if (location !== undefined) response.writeHead(302, { location }).end();
    else if (request.url === '/text') response.setHeader('Last-Modified', new Date(5000).toUTCString()).end('found');
    else if (request.url === '/cut')
      response.writeHead(200, { 'Content-Length': 10 }).write('x', () => response.destroy());
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => void server.close());
  const at = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const options = { signal: AbortSignal.timeout(60_000) };
  const { body, modified } = await download(at('/once'), options);
  t.is(await text(body), 'found');
  t.is(modified?.getTime(), 5000);
  await t.throwsAsync(download(at('/away'), options), { message: /leads to "file:\/\/\/etc\/passwd"$/ });
  await t.throwsAsync(download(at('/round'), options), { message: /more than 10 times$/ });
  await t.throwsAsync(download(at('/none'), options), { message: /answered 404 Not Found$/ });
  await t.throwsAsync(download('file:///etc/passwd', options), { message: /is not an http or https URL$/ });
  await t.throwsAsync(download('http://127.0.0.1:6000/x', options), { message: /connect ECONNREFUSED/ });
  await t.throwsAsync(text((await download(at('/cut'), options)).body));
  await t.throwsAsync(download(at('/text'), { signal: AbortSignal.abort(new Error('gone')) }), { message: 'gone' });
});
