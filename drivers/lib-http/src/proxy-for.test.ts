import test from 'ava';
import { proxyFor, readEnvironment } from './proxy-for.js';

const proxied = (url: string, environment: Record<string, string>): string | undefined =>
  proxyFor(new URL(url), environment)?.href;
const both = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://tls:2' };

test('the variable of the URL scheme names the proxy, in either case and with or without a scheme', (t) => {
  t.is(proxied('http://a.test/', both), 'http://plain:1/');
  t.is(proxied('https://a.test/', both), 'http://tls:2/');
  t.is(proxied('https://a.test/', { HTTP_PROXY: 'http://plain:1' }), undefined);
  t.is(proxied('http://a.test/', { http_proxy: 'proxy.test:3128' }), 'http://proxy.test:3128/');
  t.is(proxied('http://a.test/', {}), undefined);
  t.deepEqual(readEnvironment({ http_proxy: 'a', HTTPS_PROXY: 'b' }), { httpProxy: 'a', httpsProxy: 'b', noProxy: '' });
});

for (const [noProxy, url, isDirect] of [
  ['', 'http://localhost:5000/', true],
  ['', 'http://127.9.9.9/', true],
  ['', 'http://[::1]:5000/', true],
  ['*', 'http://a.test/', true],
  ['a.test', 'http://a.test/', true],
  ['a.test', 'http://sub.a.test/', true],
  ['a.test', 'http://other-a.test/', false],
  ['.a.test', 'http://sub.a.test/', true],
  ['.a.test', 'http://a.test/', false],
  ['b.test, A.TEST:8080', 'http://a.test:8080/', true],
  ['a.test:8080', 'http://a.test/', false],
  ['a.test:80', 'http://a.test/', true],
  ['10.0.0.0/8', 'http://10.1.2.3:5000/', true],
  ['10.0.0.0/8', 'http://11.1.2.3/', false],
  ['10.1.2.3', 'http://10.1.2.3/', true],
  ['fd00::/8', 'http://[fd00::1]/', true],
  ['0.0.0.0/99,x/y', 'http://10.1.2.3/', false],
] as const) {
  test(`NO_PROXY=${noProxy}: ${url} is reached ${isDirect ? 'directly' : 'through the proxy'}`, (t) => {
    t.is(proxied(url, { ...both, NO_PROXY: noProxy }) === undefined, isDirect);
  });
}

test('a proxy that is none is refused by the name of its variable, without its value', (t) => {
  for (const value of ['socks5://user:secret@x', 'http://']) {
    const error = t.throws(() => proxied('https://a.test/', { HTTPS_PROXY: value }), { message: /HTTPS_PROXY/ });
    t.notRegex(error?.message ?? '', /secret/);
  }
});
