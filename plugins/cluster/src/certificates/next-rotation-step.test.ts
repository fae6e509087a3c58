import test from 'ava';
import type { RootCa, SigningRoot } from '../records/cluster-kind.js';
import type { Node } from '../records/node-kind.js';
import { nextRotationStep } from './next-rotation-step.js';

const root = (name: string): SigningRoot => ({
  certificate: `certificate ${name}`,
  key: `key ${name}`,
  subject: 'the same',
  publicKey: `public key ${name}`,
});

/** A node as it describes itself, with the root that issued its certificate and the one it trusts. */
const node = (issuer: string, trust: string): Node => ({
  spec: { Labels: {}, Role: 'worker', Availability: 'active' },
  description: {
    Hostname: 'host',
    Platform: { Architecture: '', OS: '' },
    Resources: { NanoCPUs: 0, MemoryBytes: 0 },
    Engine: { EngineVersion: '', Labels: {}, Plugins: [] },
    TLSInfo: {
      TrustRoot: root(trust).certificate,
      CertIssuerSubject: root(issuer).subject,
      CertIssuerPublicKey: root(issuer).publicKey,
    },
  },
  status: { state: 'ready', address: '' },
});

const unknown = (): Node => {
  const { description, ...rest } = node('old', 'old');
  const { TLSInfo: _, ...undescribed } = description;
  return { ...rest, description: undescribed };
};

const rotating: RootCa = { ...root('old'), forcedRotation: 3, next: { ...root('new'), chain: 'new by old' } };
const rotated: RootCa = { ...root('new'), forcedRotation: 3, chain: 'new by old' };

test('a root that is not being rotated stays', (t) => {
  t.is(nextRotationStep(root('old'), [node('old', 'old')]), undefined);
});

test('the next root is trusted once every node has a certificate of it', (t) => {
  t.deepEqual(nextRotationStep(rotating, [node('new', 'old'), node('new', 'old')]), rotated);
});

for (const [what, other] of [
  ['a certificate of the present root', node('old', 'old')],
  ['not connected yet', unknown()],
] as const) {
  test(`the next root waits for a node that has ${what}`, (t) => {
    t.is(nextRotationStep(rotating, [node('new', 'old'), other]), undefined);
  });
}

test('certificates lead to the root before as long as a node trusts only that', (t) => {
  t.is(nextRotationStep(rotated, [node('new', 'new'), node('new', 'old')]), undefined);
  t.deepEqual(nextRotationStep(rotated, [node('new', 'new')]), { ...root('new'), forcedRotation: 3 });
});
