import test from 'ava';
import { ContainerSteps } from '../service.js';
import { startContainers } from '../testing/start-containers.js';

test('a container that exits while it is to be paused is read as it is', async (t) => {
  const { create, engine, post, runtime } = await startContainers(t);
  const id = await create({ Cmd: ['sleep', '300'] });
  await post(`${id}/start`);
  const driver = runtime();
  const { pause } = driver;
  driver.pause = async (task) => {
    await driver.kill(task, 9);
    return pause.call(driver, task);
  };
  const result = await engine.kernel.service(ContainerSteps).whilePaused(id, async () => 'read');
  t.is(result, 'read');
});

test('a container that runs on and cannot be paused is not read', async (t) => {
  const { create, engine, post, runtime } = await startContainers(t);
  const id = await create({ Cmd: ['sleep', '300'] });
  await post(`${id}/start`);
  runtime().pause = async () => {
    throw new Error('the kernel refused');
  };
  const steps = engine.kernel.service(ContainerSteps);
  await t.throwsAsync(
    steps.whilePaused(id, async () => 'read'),
    { message: 'the kernel refused' },
  );
  await post(`${id}/kill`);
});
