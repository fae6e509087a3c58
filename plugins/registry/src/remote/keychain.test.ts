import test from 'ava';
import { keychainEntry } from './keychain.js';

const [hub, own] = [{ username: 'hub' }, { username: 'own' }];
const keychain = new Map([
  ['index.docker.io', hub],
  ['registry.example:5000', own],
]);

test('credentials are those of exactly this host and port', (t) => {
  t.is(keychainEntry(keychain, 'registry.example:5000'), own);
  t.is(keychainEntry(keychain, 'registry.example'), undefined);
  t.is(keychainEntry(undefined, 'registry.example:5000'), undefined);
});

test('the hosts of Docker Hub share the credentials that its clients send under the first', (t) => {
  for (const host of ['docker.io', 'index.docker.io', 'registry-1.docker.io']) t.is(keychainEntry(keychain, host), hub);
});
