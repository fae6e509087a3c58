import type { ClusterService } from '@gantry/cluster/service';
import { openDriver } from '@gantry/conformance';
import { createRecord } from '@gantry/core/contracts';
import { clusterStore } from '@gantry/memory-drivers';
import test from 'ava';
import { KnownTasks } from './known-tasks.js';
import { serviceKind, taskKind } from './records/record-kinds.js';

test('a listener hears of tasks that change, of nothing else, and of nothing once it is removed', async (t) => {
  const opened = await openDriver(clusterStore);
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const end = new AbortController();
  t.teardown(() => end.abort());
  const following: unknown[] = [];
  const cluster: Partial<ClusterService> = {
    whileManager(run) {
      following.push(run({ store, nodeId: 'm1', signal: end.signal }));
      return () => undefined;
    },
  };
  let heard = 0;
  let next = deferred();
  const remove = new KnownTasks(cluster as ClusterService).onChange(() => {
    heard++;
    next.resolve();
  });
  const create = (id: string) =>
    store.transact([createRecord(taskKind, id, { ID: id, ServiceID: 's', Status: { State: 'new' } } as never)]);
  await store.transact([createRecord(serviceKind, 's', { ID: 's', Spec: { Name: 's' }, Ports: [] } as never)]);
  await create('t1');
  await next.promise;
  t.is(heard, 1);

  next = deferred();
  await create('t2');
  await next.promise;
  remove();
  await Promise.all(following);
  await create('t3');
  t.is(heard, 2);
});

function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
