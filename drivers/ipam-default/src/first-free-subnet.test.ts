import { type Block, formatSubnet, parseSubnet, type Subnet } from '@gantry/lib-network/subnet';
import test from 'ava';
import { firstFreeSubnet } from './first-free-subnet.js';

const subnet = (text: string): Subnet => {
  const parsed = parseSubnet(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
};
const find = (base: string, size: number, taken: readonly string[]): string | undefined => {
  const found = firstFreeSubnet([{ base: subnet(base), size }], taken.map(subnet));
  return found && formatSubnet(found);
};

test('taken blocks may come in any order, within each other and across the ends of the pool', (t) => {
  const taken = ['10.0.2.0/24', '10.0.0.64/26', '10.0.0.0/23', '10.0.1.7/32', '9.0.0.0/8', 'fd00::/8'];
  t.is(find('10.0.0.0/16', 24, taken), '10.0.3.0/24');
  t.is(find('10.0.0.0/22', 24, [...taken, '10.0.3.255/32']), undefined);
  t.is(find('10.0.0.0/16', 24, ['10.0.0.0/15']), undefined);
  t.is(find('10.0.0.0/16', 26, ['10.0.0.0/26', '10.0.0.129/32']), '10.0.0.64/26');
});

test('a free subnet among thousands is found by reading each taken block a few times', (t) => {
  let reads = 0;
  const count = 4000;
  const base = subnet('10.0.0.0/12');
  const taken = Array.from({ length: count }, (_, index): Block => {
    const first = base.first + BigInt(((index * 7) % count) * 64);
    return {
      family: 'ipv4',
      get first() {
        reads += 1;
        return first;
      },
      last: first + 63n,
    };
  });
  const found = firstFreeSubnet([{ base, size: 26 }], taken);
  t.is(found && formatSubnet(found), '10.3.232.0/26');
  t.true(reads < 50 * count, `${reads} reads`);
});
