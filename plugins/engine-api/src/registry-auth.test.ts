import test from 'ava';
import { decodeRegistryAuth, decodeRegistryConfig } from './registry-auth.js';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

test('credentials are read in either alphabet, whatever the case of their names', (t) => {
  const header = Buffer.from(JSON.stringify({ Username: 'u', password: 'p?>~', email: 'e' })).toString('base64url');
  t.deepEqual(decodeRegistryAuth(header), { username: 'u', password: 'p?>~' });
  t.deepEqual(decodeRegistryAuth(encode({ identitytoken: 'i' })), { identityToken: 'i' });
  t.deepEqual(decodeRegistryAuth(encode({ auth: Buffer.from('u:p:q').toString('base64') })), {
    username: 'u',
    password: 'p:q',
  });
});

for (const header of [undefined, '', '!!!', encode({}), encode(null), encode([1]), encode({ username: 3 })]) {
  test(`no credentials are in ${header}`, (t) => t.is(decodeRegistryAuth(header), undefined));
}

test('a configuration names registries by host or by address', (t) => {
  const header = encode({ 'r.example:5000': { username: 'a' }, 'https://s.example/v1/': { username: 'b' }, bad: 1 });
  t.deepEqual(
    decodeRegistryConfig(header),
    new Map([
      ['r.example:5000', { username: 'a' }],
      ['s.example', { username: 'b' }],
    ]),
  );
});
