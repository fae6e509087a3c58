import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import engineApi from '@gantry/engine-api';
import { startEngine } from '@gantry/test-engine';
import plugin from './index.js';
import { __Name__ } from './service.js';

const id = '__id__';

/** An engine of this plugin and what it requires: containers are not among it, so a test publishes their events. */
async function startPlugin(t: TestContext, section = {}) {
  const owner = { teardown: (release: () => Promise<void> | void) => t.after(release) };
  const engine = await startEngine(owner, [engineApi, plugin], { plugins: { [id]: section } });
  const startContainer = () =>
    engine.kernel.events.publish({ type: 'container', action: 'start', actor: { id: 'c1', attributes: {} } });
  return { engine, startContainer };
}

test('starts are counted until they are reset', async (t) => {
  const { engine, startContainer } = await startPlugin(t);
  startContainer();
  assert.deepEqual((await engine.ask('GET', '/__id__')).json(), { Starts: 1 });
  assert.equal(engine.kernel.service(__Name__).starts(), 1);
  const reset = await engine.ask('POST', '/__id__', { body: { Starts: 0 } });
  assert.deepEqual([reset.status, reset.json()], [200, { Starts: 0 }]);
});

test('an event is published after every so many starts', async (t) => {
  const { engine, startContainer } = await startPlugin(t, { every: 2 });
  startContainer();
  assert.ok(!engine.eventSummaries().includes('plugin milestone __id__'));
  startContainer();
  assert.ok(engine.eventSummaries().includes('plugin milestone __id__'));
});

test('a wrong body is refused by name', async (t) => {
  const { engine } = await startPlugin(t);
  const answer = await engine.ask('POST', '/__id__', { body: { Starts: 7 } });
  assert.equal(answer.status, 400);
  assert.match(JSON.stringify(answer.json()), /Starts: 7 is not accepted/);
});
