import type { ClusterStore } from '@gantry/core/contracts';
import { kindOf, messageOf, notFound } from '@gantry/core/errors';
import test from 'ava';
import { CheckReferences } from './check-references.js';

const networks = {
  get(name: string): never {
    throw notFound(`network ${name} not found`);
  },
};

test('an absent network is no absent service', (t) => {
  const check = new CheckReferences(networks);
  const TaskTemplate = { Networks: [{ Target: 'nosuch' }] };
  const error = t.throws(() => check.check({} as ClusterStore, { TaskTemplate }));
  t.is(kindOf(error), 'internal');
  t.is(messageOf(error), 'network nosuch not found');
});
