import test from 'ava';
import { freeAddress } from './free-address.js';

const pool = (subnet: string, more: object = {}) => ({
  subnet,
  gateway: subnet.replace(/0\/(\d+)$/, '1/$1'),
  auxiliary: {},
  requested: false,
  ...more,
});
const none = (): boolean => false;

test('addresses come in order, without the gateway and what is reserved, and used ones again last', (t) => {
  const network = { pools: [pool('10.0.1.0/29', { auxiliary: { router: '10.0.1.3' } })] };
  t.is(freeAddress(network, { isUsed: none }), '10.0.1.2/29');
  t.is(freeAddress(network, { isUsed: none, last: '10.0.1.2' }), '10.0.1.4/29');
  t.is(freeAddress(network, { isUsed: none, last: '10.0.1.6' }), '10.0.1.2/29');
  t.is(freeAddress(network, { isUsed: (address) => address !== '10.0.1.5' }), '10.0.1.5/29');
  t.is(freeAddress(network, { isUsed: () => true }), undefined);
});

test('a full subnet is followed by the next one', (t) => {
  const network = { pools: [pool('10.0.1.0/30'), pool('10.0.2.0/30')] };
  t.is(freeAddress(network, { isUsed: (address) => address === '10.0.1.2' }), '10.0.2.2/30');
});

test('a preferred address is given when it is free and a host of a subnet', (t) => {
  const network = { pools: [pool('10.0.1.0/24'), pool('10.0.2.0/24')] };
  const prefer = (preferred: string, isUsed = none) => freeAddress(network, { preferred, isUsed });
  t.is(prefer('10.0.2.9'), '10.0.2.9/24');
  for (const bad of ['10.0.1.0', '10.0.1.255', '10.0.1.1', '10.0.3.1']) t.is(prefer(bad), undefined, bad);
  t.is(
    prefer('10.0.2.9', () => true),
    undefined,
  );
});

test('a range limits what is chosen, not what is preferred', (t) => {
  const network = { pools: [pool('10.0.1.0/24', { range: '10.0.1.128/30' })] };
  t.is(freeAddress(network, { isUsed: none }), '10.0.1.128/24');
  t.is(freeAddress(network, { isUsed: none, last: '10.0.1.131' }), '10.0.1.128/24');
  t.is(freeAddress(network, { isUsed: none, preferred: '10.0.1.7' }), '10.0.1.7/24');
});
