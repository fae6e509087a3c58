import type { ClusterStore } from '@gantry/core/contracts';
import { kindOf, messageOf, notFound } from '@gantry/core/errors';
import type { Network } from '@gantry/networks/service';
import test from 'ava';
import { CheckReferences } from './check-references.js';

const networks = {
  get(name: string): Network {
    if (name !== 'mesh') throw notFound(`network ${name} not found`);
    const kind = { driver: 'overlay', predefined: false, hostStack: false, userDefined: true, ingress: true } as const;
    return { id: 'mesh-id', name, scope: 'swarm', ...kind };
  },
};

test('an absent network is no absent service', (t) => {
  const check = new CheckReferences(networks);
  const TaskTemplate = { Networks: [{ Target: 'nosuch' }] };
  const error = t.throws(() => check.check({} as ClusterStore, { TaskTemplate }));
  t.is(kindOf(error), 'internal');
  t.is(messageOf(error), 'network nosuch not found');
});

test('ports reach the ingress network, services do not', (t) => {
  const check = new CheckReferences(networks);
  const TaskTemplate = { Networks: [{ Target: 'mesh' }] };
  const error = t.throws(() => check.check({} as ClusterStore, { TaskTemplate }));
  t.is(kindOf(error), 'invalid-argument');
  t.is(messageOf(error), 'Networks: Service cannot be explicitly attached to the ingress network "mesh"');
});
