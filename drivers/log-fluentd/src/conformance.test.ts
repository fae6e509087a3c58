import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInStream, withOptions } from '@gantry/lib-log/testing';
import test from 'ava';
import fluentd from './index.js';

const server = await standInStream();
const address = { 'fluentd-address': `127.0.0.1:${server.port}` };
test.after.always(() => server.close());

logDriverSuite(test, async () => withOptions(await openDriver(fluentd), address));
