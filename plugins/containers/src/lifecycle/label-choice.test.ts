import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { HostConfig } from '../schema.js';
import { labelWishOf } from '../security/security-labels.js';
import { lookupOf, recordWith } from '../testing/configuration-fixture.js';
import { LabelChoice } from './label-choice.js';

const selinux = {
  process: 'system_u:system_r:container_t:s0',
  file: 'system_u:object_r:container_file_t:s0',
  image: '',
};
const joinedLabels = { process: `${selinux.process}:c1,c2`, mount: `${selinux.file}:c1,c2` };
const unconfined = { process: '', mount: `${selinux.file}:c1022,c1023` };

/** A host whose policy has every context but those of `absent_t`, with one container, whose id is `stored`. */
function choice({ isEnabled = true } = {}) {
  const stored = recordWith({ id: 'stored', labels: joinedLabels });
  const containers = {
    all: () => [{ record: stored }][Symbol.iterator](),
    has: (id: string) => id === 'stored',
    get: (reference: string) => ({ record: lookupOf(stored).get(reference) }),
  };
  const policy = { isValid: async (context: string) => !context.includes('absent_t') };
  const labels = new LabelChoice({ selinux: isEnabled ? selinux : undefined }, policy, containers as never);
  return (hostConfig: HostConfig) => labels.choose(randomUUID(), hostConfig);
}

test('each container has two categories that no other has', async (t) => {
  const choose = choice();
  const chosen = await Promise.all(Array.from({ length: 500 }, () => choose({})));
  const pairs = chosen.map((labels) => {
    const [, process = '', low, high] =
      /^system_u:system_r:container_t:(s0:c(\d+),c(\d+))$/.exec(labels?.process ?? '') ?? [];
    t.true(Number(low) < Number(high) && Number(high) < 1024, process);
    t.is(labels?.mount, `system_u:object_r:container_file_t:${process}`);
    return process;
  });
  t.is(new Set([...pairs, 's0:c1,c2', 's0:c1022,c1023']).size, 502);
});

test('options replace parts of the contexts, of files only the user, the level and their type', async (t) => {
  const SecurityOpt = ['label=user:u', 'label=role:r', 'label=type:spc_t', 'label=level:s1:c3', 'label=filetype:f_t'];
  t.deepEqual(await choice()({ SecurityOpt }), { process: 'u:r:spc_t:s1:c3', mount: 'u:object_r:f_t:s1:c3' });
});

for (const hostConfig of [
  { SecurityOpt: ['label=disable'] },
  { SecurityOpt: ['label:disable'], PidMode: 'container:stored' },
  { Privileged: true },
  { PidMode: 'host' },
  { IpcMode: 'host' },
]) {
  test(`not labelled: ${JSON.stringify(hostConfig)}`, async (t) => {
    t.deepEqual(await choice()(hostConfig), unconfined);
  });
}

test('options hold for containers that would not be labelled without', async (t) => {
  t.like(await choice()({ Privileged: true, SecurityOpt: ['label=level:s0:c3'] }), {
    process: `${selinux.process}:c3`,
  });
});

test('a container that joins the processes of another one has its labels', async (t) => {
  t.deepEqual(await choice()({ PidMode: 'container:stored' }), joinedLabels);
  t.deepEqual(await choice()({ IpcMode: 'container:stored', PidMode: 'container:stored' }), joinedLabels);
});

test('a context that the policy does not have is refused with the options', async (t) => {
  await t.throwsAsync(choice()({ SecurityOpt: ['label=type:absent_t'] }), {
    message: /^SecurityOpt: \["label=type:absent_t"\]: the policy of this host has no "system_u:system_r:absent_t:s0:c/,
  });
});

test('without SELinux there are no labels', async (t) => {
  t.is(await choice({ isEnabled: false })({ SecurityOpt: ['label=disable'] }), undefined);
  t.is(labelWishOf(['seccomp=unconfined']), undefined);
});
