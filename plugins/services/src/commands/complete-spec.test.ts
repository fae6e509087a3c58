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
});
