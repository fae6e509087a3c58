import test from 'ava';
import { vlanOf } from './parent-name.js';

test('the name of a parent may say a VLAN', (t) => {
  t.deepEqual(vlanOf('eth0.50'), { link: 'eth0', id: 50 });
  t.deepEqual(vlanOf('a.b.4094'), { link: 'a.b', id: 4094 });
  for (const name of ['eth0', 'eth0.0', 'eth0.4095', '.5', 'eth0.x']) t.is(vlanOf(name), undefined);
});
