import test from 'ava';
import { SwarmInfo } from './swarm-info.js';

/** With a membership and a store that change, and nothing else of an engine. */
function infoOf(
  membership: { state: { readonly status: string } },
  store: { isThere: boolean; looks: number },
): SwarmInfo {
  const exists = (): boolean => {
    store.looks++;
    return store.isThere;
  };
  const unused = undefined as never;
  return new SwarmInfo(membership as never, { driver: { exists } } as never, unused, unused, unused, unused);
}

test('an engine in no swarm looks once for the store of a lost one, however often it is pinged', (t) => {
  const membership = { state: { status: 'inactive' } };
  const store = { isThere: false, looks: 0 };
  const info = infoOf(membership, store);

  t.deepEqual([info.headline, info.headline, info.headline], ['inactive', 'inactive', 'inactive']);
  t.is(store.looks, 1);

  store.isThere = true;
  membership.state = { status: 'active' };
  t.is(info.headline, 'active/manager');
  membership.state = { status: 'inactive' };
  t.is(info.headline, 'error', 'it has left, and the store is still there');
});

test('the store of a lost swarm is an error until someone removes it', (t) => {
  const store = { isThere: true, looks: 0 };
  const info = infoOf({ state: { status: 'inactive' } }, store);
  t.is(info.headline, 'error');
  t.like(info.describe(), { LocalNodeState: 'error', Error: 'the membership file of the swarm is lost' });
  store.isThere = false;
  t.is(info.headline, 'inactive');
});
