import test from 'ava';
import { parseGenericResources } from './generic-resources.js';

test('one number is a count, and names are a set', (t) => {
  t.deepEqual(parseGenericResources(['GPU=GPU-1', 'SSD=2', ' GPU = GPU-2 ', 'GPU=GPU-1']), [
    { NamedResourceSpec: { Kind: 'GPU', Value: 'GPU-1' } },
    { NamedResourceSpec: { Kind: 'GPU', Value: 'GPU-2' } },
    { DiscreteResourceSpec: { Kind: 'SSD', Value: 2 } },
  ]);
  t.deepEqual(parseGenericResources([]), []);
});

for (const [entries, message] of [
  [['GPU'], /"GPU" is not KIND=VALUE/],
  [['GPU='], /"GPU=" is not KIND=VALUE/],
  [['=1'], /"=1" is not KIND=VALUE/],
  [['GPU=a=b'], /"GPU=a=b" is not KIND=VALUE/],
  [['GPU=-1'], /"GPU=-1" is not a count/],
  [['GPU=1', 'GPU=2'], /"GPU=1": GPU has a count beside/],
  [['GPU=GPU-1', 'GPU=2'], /"GPU=2": GPU has a count beside/],
] as const) {
  test(`refused as resources of a node: ${entries.join(', ')}`, (t) => {
    t.throws(() => parseGenericResources(entries), { message });
  });
}
