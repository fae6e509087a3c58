import test from 'ava';
import { hasAppArmor } from './has-app-armor.js';
import { kernelAppArmor, parseProfiles } from './kernel-app-armor.js';

test('loaded profiles are read with their names, blanks included', (t) => {
  const text = 'gantry-default (enforce)\n/usr/bin/man (complain)\nTwo Words (unconfined)\n';
  t.deepEqual([...parseProfiles(text)], ['gantry-default', '/usr/bin/man', 'Two Words']);
  t.is(parseProfiles('').size, 0);
});

test('a host without AppArmor has no profiles, and is not an error', async (t) => {
  const profiles = await kernelAppArmor.profiles();
  if (!(await hasAppArmor())) t.is(profiles.size, 0);
  else t.false(profiles.has(''));
});
