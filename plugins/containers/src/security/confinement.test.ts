import type { AppArmor } from '@gantry/lib-linux/app-armor';
import test from 'ava';
import type { ContainerRecord } from '../record.js';
import type { HostConfig } from '../schema.js';
import { Confinement } from './confinement.js';
import { defaultProfile } from './default-profile.js';

/** A kernel with one profile, which remembers what is loaded. */
function fakeKernel() {
  const loaded: string[] = [];
  const appArmor: AppArmor = {
    profiles: async () => new Set(['custom', ...(loaded.length > 0 ? ['gantry-default'] : [])]),
    load: async (text) => void loaded.push(text),
  };
  return { appArmor, loaded };
}

const recordOf = (hostConfig: HostConfig) => ({ hostConfig }) as ContainerRecord;

test('the default profile is loaded by the first container that needs it', async (t) => {
  const { appArmor, loaded } = fakeKernel();
  const confinement = new Confinement({ appArmor: true }, appArmor);
  t.is(await confinement.profileFor(recordOf({})), 'gantry-default');
  t.is(await confinement.profileFor(recordOf({})), 'gantry-default');
  t.deepEqual(loaded, [defaultProfile]);
});

test('named profiles are honoured, and one that is not loaded is refused by its name', async (t) => {
  const { appArmor, loaded } = fakeKernel();
  const confinement = new Confinement({ appArmor: true }, appArmor);
  t.is(await confinement.profileFor(recordOf({ SecurityOpt: ['apparmor=custom'] })), 'custom');
  t.is(await confinement.profileFor(recordOf({ SecurityOpt: ['apparmor:unconfined'] })), undefined);
  await t.throwsAsync(confinement.profileFor(recordOf({ SecurityOpt: ['apparmor=absent'] })), {
    message: 'SecurityOpt: AppArmor profile "absent" is not loaded on this host',
  });
  t.deepEqual(loaded, []);
});

test('the runtime gets the profile, and the context of the processes', async (t) => {
  const { appArmor } = fakeKernel();
  const labels = { process: 'u:r:container_t:s0:c1,c2', mount: 'u:object_r:container_file_t:s0:c1,c2' };
  const confinement = new Confinement({ appArmor: true }, appArmor);
  const confined = { apparmorProfile: 'gantry-default', selinuxLabel: labels.process };
  t.deepEqual(await confinement.of({ ...recordOf({}), labels }), confined);
  const free = { ...recordOf({ Privileged: true }), labels: { ...labels, process: '' } };
  t.deepEqual(await confinement.of(free), {});
});

test('privileged containers and hosts without AppArmor have no profile', async (t) => {
  const { appArmor } = fakeKernel();
  t.is(await new Confinement({ appArmor: true }, appArmor).profileFor(recordOf({ Privileged: true })), undefined);
  t.is(await new Confinement({ appArmor: false }, appArmor).profileFor(recordOf({})), undefined);
});
