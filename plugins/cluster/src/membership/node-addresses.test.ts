import test from 'ava';
import { hasLostAddress, movedTo, resolveAddresses } from './node-addresses.js';

test('a node follows its host when that loses the advertised address, unless that was never its own', (t) => {
  const own = resolveAddresses({ AdvertiseAddr: '127.0.0.1:2377' });
  t.true(own.followsHost);
  t.false(hasLostAddress(own));
  t.true(hasLostAddress({ ...own, advertise: '192.0.2.1:2377' }));
  const translated = resolveAddresses({ AdvertiseAddr: '192.0.2.1' });
  t.is(translated.followsHost, undefined);
  t.false(hasLostAddress(translated));
});

test('the new address takes the place of the old one, and of no other', (t) => {
  const addresses = {
    listen: '10.0.0.1:2377',
    advertise: '10.0.0.1:4000',
    dataPath: '10.0.0.1',
    followsHost: true,
  } as const;
  t.deepEqual(movedTo('10.0.0.2', addresses), {
    listen: '10.0.0.2:2377',
    advertise: '10.0.0.2:4000',
    dataPath: '10.0.0.2',
    followsHost: true,
  });
  t.like(movedTo('fd00::2', { ...addresses, listen: '0.0.0.0:2377', dataPath: '10.1.0.1' }), {
    listen: '0.0.0.0:2377',
    advertise: '[fd00::2]:4000',
    dataPath: '10.1.0.1',
  });
});
