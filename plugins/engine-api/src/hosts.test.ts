import test from 'ava';
import { parseHost } from './hosts.js';

const options = { mode: '660', insecureTcp: false };

test('a Unix socket has its mode and group', (t) => {
  t.deepEqual(parseHost('unix:///run/x.sock', { ...options, group: 'staff' }), [
    { kind: 'unix', path: '/run/x.sock', mode: 0o660, group: 'staff' },
  ]);
});

test('TCP without client certificates is refused unless it is forced', (t) => {
  t.throws(() => parseHost('tcp://127.0.0.1:2375', options), {
    message: /would let anyone who reaches it become root/,
  });
  t.deepEqual(parseHost('tcp://127.0.0.1', { ...options, insecureTcp: true }), [
    { kind: 'tcp', host: '127.0.0.1', port: 2375, insecure: true },
  ]);
});

test('TLS without an authority for clients is refused unless it is forced', (t) => {
  const tls = { cert: '/cert.pem', key: '/key.pem' };
  t.throws(() => parseHost('tcp://127.0.0.1', { ...options, tls }), {
    message: /set "tls" with "ca", or "insecureTcp"/,
  });
  t.like(parseHost('tcp://127.0.0.1', { ...options, tls, insecureTcp: true })[0], { port: 2376, tls });
});

test('an IPv6 address loses its brackets', (t) => {
  t.like(parseHost('tcp://[::1]:99', { ...options, insecureTcp: true })[0], { host: '::1', port: 99 });
});

for (const host of ['unix://relative', 'http://x', '', 'tcp:']) {
  test(`"${host}" is refused with its text`, (t) => {
    t.throws(() => parseHost(host, options), { message: new RegExp(`"${host}"`) });
  });
}
