import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { RegistryClient } from '../service.js';
import { startPuller } from '../testing/harness.js';
import { type Hook, startStandIn } from '../testing/stand-in.js';

const content = Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 31) % 251));
const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** A registry that takes uploads, breaking the connection of the first ones in the middle. */
function uploads(breaks: number, options: { readonly forgets?: boolean } = {}) {
  let taken = Buffer.alloc(0);
  let left = breaks;
  let finished: Buffer | undefined;
  const take = async (request: IncomingMessage): Promise<boolean> => {
    if (left > 0) {
      left -= 1;
      for await (const chunk of request) {
        taken = Buffer.concat([taken, chunk as Buffer]).subarray(0, 20_000 + taken.length);
        request.socket.destroy();
        break;
      }
      if (options.forgets === true) taken = Buffer.alloc(0);
      return false;
    }
    taken = Buffer.concat([taken, await buffer(request)]);
    return true;
  };
  const hook: Hook = async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (request.method === 'HEAD') response.statusCode = 404;
    else if (request.method === 'POST') {
      taken = Buffer.alloc(0);
      response.writeHead(202, { Location: '/v2/app/blobs/uploads/1?state=a' });
    } else if (path !== '/v2/app/blobs/uploads/1') return false;
    else if (request.method === 'GET') {
      if (options.forgets === true) response.statusCode = 404;
      else response.writeHead(204, { Location: '/v2/app/blobs/uploads/1?state=b', Range: `0-${taken.length - 1}` });
    } else {
      if (!(await take(request))) return true;
      if (request.method === 'PUT') {
        finished = taken;
        response.statusCode = query.includes(encodeURIComponent(digest)) ? 201 : 400;
      } else response.writeHead(202, { Location: '/v2/app/blobs/uploads/1?state=c' });
    }
    response.end();
    return true;
  };
  return { hook, finished: () => finished };
}

const source = {
  digest,
  size: content.length,
  open: (start: number, end: number) => Readable.from([content.subarray(start, end)]),
};

for (const [title, breaks, options] of [
  ['an upload is sent whole', 0, {}],
  ['an upload that breaks goes on where the registry says it is', 2, {}],
  ['an upload the registry has forgotten begins anew', 1, { forgets: true }],
] as const) {
  test(title, async (t) => {
    const { finished, hook } = uploads(breaks, options);
    const registry = await startStandIn(t, hook);
    const engine = await startPuller(t);
    const client = engine.kernel.service(RegistryClient);
    const sent: number[] = [];
    const reference = `${registry.host}/app`;
    t.true(await client.upload({ reference }, source, { onBytes: (count) => sent.push(count) }));
    t.deepEqual(finished(), content);
    t.is(sent.at(-1), content.length);
    t.is(registry.asked.filter((each) => each.startsWith('PATCH')).length > 0, breaks > 0 && !('forgets' in options));
  });
}
