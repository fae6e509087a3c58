import test from 'ava';
import { endToEndHeaders } from './end-to-end-headers.js';

test('headers of the message are passed on, with all their values', (t) => {
  const headers = {
    accept: 'application/json',
    'content-length': '2',
    'x-registry-auth': 'e30=',
    'set-cookie': ['a', 'b'],
  };
  t.deepEqual(endToEndHeaders(headers), headers);
});

test('headers of the connection are not passed on, nor those that it lists', (t) => {
  const headers = {
    connection: 'Upgrade, X-Trace',
    host: 'engine',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    'transfer-encoding': 'chunked',
    upgrade: 'tcp',
    'x-trace': '1',
  };
  t.deepEqual(endToEndHeaders({ ...headers, accept: '*/*' }), { accept: '*/*' });
});
