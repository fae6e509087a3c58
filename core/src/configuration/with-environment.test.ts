import test from 'ava';
import { withEnvironment } from './with-environment.js';

const environment = { GANTRY_DATA_ROOT: '/d', GANTRY_EXEC_ROOT: '/e', GANTRY_HOST: 'unix:///s' };

test('the environment has defaults for what the configuration leaves out', (t) => {
  t.deepEqual(withEnvironment({}, environment), {
    dataRoot: '/d',
    execRoot: '/e',
    plugins: { 'engine-api': { hosts: ['unix:///s'] } },
  });
  const config = { dataRoot: '/own', plugins: { 'engine-api': { hosts: [], mode: '600' }, other: {} } };
  t.deepEqual(withEnvironment(config, environment), { ...config, execRoot: '/e' });
  t.deepEqual(withEnvironment(config, {}), config);
});
