import { defaultCapabilities } from '@gantry/lib-oci';
import test from 'ava';
import { parseCapability, selectCapabilities } from './capabilities.js';

const host = new Set([...defaultCapabilities, 'CAP_NET_ADMIN', 'CAP_SYS_ADMIN']);
const wish = { add: [], drop: [], privileged: false };

test('the default set is the mask 0xa80425fb', (t) => {
  t.is(defaultCapabilities.length, 14);
  t.true(defaultCapabilities.includes('CAP_AUDIT_WRITE'));
  t.false(defaultCapabilities.includes('CAP_SYS_ADMIN'));
});

test('adding and dropping work in any spelling', (t) => {
  const chosen = selectCapabilities({ ...wish, add: ['net_admin'], drop: ['CAP_CHOWN'] }, host);
  t.true(chosen.includes('CAP_NET_ADMIN'));
  t.false(chosen.includes('CAP_CHOWN'));
});

test('dropping all leaves what is added', (t) => {
  t.deepEqual(selectCapabilities({ ...wish, add: ['KILL'], drop: ['ALL'] }, host), ['CAP_KILL']);
});

test('all and privilege mean what the host can give', (t) => {
  t.is(selectCapabilities({ ...wish, add: ['all'] }, host).length, host.size);
  t.is(selectCapabilities({ ...wish, privileged: true }, host).length, host.size);
});

test('adding all and dropping one leaves the others', (t) => {
  const chosen = selectCapabilities({ ...wish, add: ['ALL'], drop: ['SYS_ADMIN'] }, host);
  t.false(chosen.includes('CAP_SYS_ADMIN'));
  t.is(chosen.length, host.size - 1);
});

test('an unknown capability is named with its option', (t) => {
  t.throws(() => parseCapability('CapAdd', 'FLY'), { message: 'CapAdd: unknown capability: "FLY"' });
});
