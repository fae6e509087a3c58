import type { ClusterRecord } from '@gantry/core/contracts';
import test from 'ava';
import { completeSpec } from '../commands/complete-spec.js';
import type { ServiceRecord } from '../records/service-record.js';
import { checkServiceSpec } from '../spec/check-service-spec.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import { makeService } from '../testing/simulation.js';
import { toService } from './to-service.js';

const shown = (spec: ServiceSpec): ServiceSpec =>
  toService({ id: 's', revision: 1, value: makeService(completeSpec(spec)) } as ClusterRecord<ServiceRecord>).Spec;

const base: ServiceSpec = { Name: 'web', TaskTemplate: { ContainerSpec: { Image: 'busybox' } } };

test('networks are shown where the client gave them, and only there', (t) => {
  const Networks = [{ Target: 'n1' }];
  const ofService = shown({ ...base, Networks });
  t.deepEqual([ofService.Networks, ofService.TaskTemplate?.Networks], [Networks, undefined]);
  const ofTasks = shown({ ...base, TaskTemplate: { ...base.TaskTemplate, Networks } });
  t.deepEqual([ofTasks.Networks, ofTasks.TaskTemplate?.Networks], [undefined, Networks]);
});

test('a client may send back what it is shown: it is valid, and is stored as before', (t) => {
  const specs: readonly ServiceSpec[] = [
    base,
    { ...base, Networks: [{ Target: 'n1', Aliases: ['a'] }] },
    { ...base, TaskTemplate: { ...base.TaskTemplate, Networks: [{ Target: 'n1' }], RestartPolicy: { Delay: 5 } } },
    { ...base, EndpointSpec: { Ports: [{ TargetPort: 80 }] }, UpdateConfig: { Parallelism: 2 }, RollbackConfig: {} },
    { ...base, Mode: { ReplicatedJob: { MaxConcurrent: 2 } } },
  ];
  for (const spec of specs) {
    t.notThrows(() => checkServiceSpec(shown(spec)));
    t.deepEqual(completeSpec(shown(spec)), completeSpec(spec));
  }
});
