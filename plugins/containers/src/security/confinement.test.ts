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

test('privileged containers and hosts without AppArmor have no profile', async (t) => {
  const { appArmor } = fakeKernel();
  t.is(await new Confinement({ appArmor: true }, appArmor).profileFor(recordOf({ Privileged: true })), undefined);
  t.is(await new Confinement({ appArmor: false }, appArmor).profileFor(recordOf({})), undefined);
});
