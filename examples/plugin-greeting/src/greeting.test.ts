import engineApi from '@gantry/engine-api';
import { startEngine } from '@gantry/test-engine';
import test from 'ava';
import greeting from './index.js';
import { Greetings } from './service.js';

test('a name is greeted by route and by service, with the words of the configuration', async (t) => {
  const engine = await startEngine(t, [engineApi, greeting], { plugins: { greeting: { text: 'good morning' } } });
  const answer = await engine.ask('GET', '/greetings/Ada');
  t.deepEqual([answer.status, answer.json()], [200, { Text: 'good morning, Ada', Containers: 0 }]);
  const posted = await engine.ask('POST', '/greetings', { body: { Name: 'Grace' } });
  t.deepEqual([posted.status, posted.json()], [201, { Text: 'good morning, Grace', Containers: 0 }]);
  t.is(engine.kernel.service(Greetings).greet('Ada').text, 'good morning, Ada');
  t.deepEqual(engine.eventSummaries(), Array(3).fill('plugin greet greeting'));
});

test('what is no name is refused by name', async (t) => {
  const engine = await startEngine(t, [engineApi, greeting]);
  const answer = await engine.ask('GET', '/greetings/7');
  t.deepEqual([answer.status, answer.json()], [400, { message: 'name: "7" is not a name' }]);
  t.is((await engine.ask('POST', '/greetings', { body: {} })).status, 400);
});

test('containers that start are counted', async (t) => {
  const engine = await startEngine(t, [engineApi, greeting]);
  engine.kernel.events.publish({ type: 'container', action: 'start', actor: { id: 'c1', attributes: {} } });
  t.like((await engine.ask('GET', '/greetings/Ada')).json(), { Containers: 1 });
});
