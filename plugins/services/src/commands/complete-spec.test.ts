import test from 'ava';
import { completeSpec } from './complete-spec.js';

test('a job has the counts that clients read without asking whether they are there', (t) => {
  t.deepEqual(completeSpec({ Mode: { ReplicatedJob: {} } }).Mode, {
    ReplicatedJob: { MaxConcurrent: 1, TotalCompletions: 1 },
  });
  t.deepEqual(completeSpec({ Mode: { ReplicatedJob: { MaxConcurrent: 3 } } }).Mode, {
    ReplicatedJob: { MaxConcurrent: 3, TotalCompletions: 3 },
  });
  t.deepEqual(completeSpec({ Mode: { GlobalJob: {} } }).Mode, { GlobalJob: {} });
  t.deepEqual(completeSpec({}).Mode, { Replicated: { Replicas: 1 } });
});

test('what stands for itself is not stored: sent back by a client, it is no change', (t) => {
  const TaskTemplate = { ContainerSpec: { Image: 'busybox' } };
  const sent = { ContainerSpec: { Image: 'busybox', Isolation: 'default' }, Runtime: 'container' };
  t.deepEqual(completeSpec({ TaskTemplate: sent }), completeSpec({ TaskTemplate }));
  const defaults = { ForceUpdate: 0, RestartPolicy: { Condition: 'any', MaxAttempts: 0 } };
  t.deepEqual(
    completeSpec({ TaskTemplate: { ...TaskTemplate, ...defaults } }),
    completeSpec({ TaskTemplate: { ...TaskTemplate, RestartPolicy: { Condition: 'any' } } }),
  );
  const port = { TargetPort: 80, PublishedPort: 8080 };
  t.deepEqual(
    completeSpec({ TaskTemplate, EndpointSpec: { Ports: [{ ...port, Protocol: 'tcp', PublishMode: 'ingress' }] } }),
    completeSpec({ TaskTemplate, EndpointSpec: { Mode: 'vip', Ports: [port] } }),
  );
});

test('words that a client leaves empty are those of the defaults', (t) => {
  const given = { FailureAction: '', Order: '' };
  const { EndpointSpec, RollbackConfig, UpdateConfig } = completeSpec({
    UpdateConfig: { ...given, Order: 'start-first' },
    RollbackConfig: given,
    EndpointSpec: { Mode: '' },
  });
  t.deepEqual(UpdateConfig, { Parallelism: 0, FailureAction: 'pause', Order: 'start-first' });
  t.deepEqual(RollbackConfig, { Parallelism: 0, FailureAction: 'pause', Order: 'stop-first' });
  t.deepEqual(EndpointSpec, { Mode: 'vip' });
  t.is(completeSpec({}).UpdateConfig, undefined);
});
