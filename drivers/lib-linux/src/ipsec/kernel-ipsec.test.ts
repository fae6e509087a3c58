import test from 'ava';
import { LinuxError } from '../errors/linux-error.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import type { ProtectionPolicy } from './ipsec.js';
import { kernelIpsec } from './kernel-ipsec.js';

kernelNamespaces.leaveNetwork();

/** What the kernel says without ESP, its cipher, or IPsec at all; undefined where it has them. */
function lacking(): string | undefined {
  try {
    kernelIpsec.probe();
    return undefined;
  } catch (error) {
    return error instanceof LinuxError ? error.code : String(error);
  }
}

const lack = lacking();
/** Policies need no cipher. */
const withIpsec = lack === 'EPROTONOSUPPORT' ? test.skip : test;
const withCipher = lack === undefined ? test : test.skip;

test('a kernel that cannot protect packets says so', (t) => {
  t.true([undefined, 'ENOSYS', 'EPROTONOSUPPORT'].includes(lack), lack);
});

withIpsec('policies are listed as they were set, and deleted', (t) => {
  const policies: readonly ProtectionPolicy[] = [
    { direction: 'in', family: 'ipv4', destination: '192.0.2.1', destinationPort: 4790, requestId: 7 },
    { direction: 'out', family: 'ipv4', source: '192.0.2.1', destinationPort: 4790, requestId: 7 },
    { direction: 'out', family: 'ipv4', destinationPort: 65535, requestId: 0xffffffff },
  ];
  for (const policy of policies) kernelIpsec.setPolicy(policy);
  for (const policy of policies) kernelIpsec.setPolicy(policy);
  const listed = kernelIpsec.policies();
  t.is(listed.length, policies.length);
  for (const policy of policies) {
    t.true(
      listed.some((each) => JSON.stringify(each) === JSON.stringify(policy)),
      JSON.stringify(listed),
    );
    kernelIpsec.deletePolicy(policy);
    kernelIpsec.deletePolicy(policy);
  }
  t.deepEqual(kernelIpsec.policies(), []);
});

withCipher('associations are listed as they were added, and deleted', (t) => {
  const associations = ['192.0.2.1', '2001:db8::1'].map((source, index) => {
    const destination = source.replace(/1$/, '2');
    return { source, destination, spi: 0xfffffff0 + index, requestId: 8 };
  });
  for (const association of associations) kernelIpsec.addAssociation({ ...association, key: Buffer.alloc(36, 1) });
  const listed = kernelIpsec.associations();
  t.deepEqual(
    associations.map(({ spi }) => listed.find((each) => each.spi === spi)),
    associations,
  );
  for (const association of associations) kernelIpsec.deleteAssociation(association);
  for (const association of associations) kernelIpsec.deleteAssociation(association);
  t.deepEqual(kernelIpsec.associations(), []);
});
