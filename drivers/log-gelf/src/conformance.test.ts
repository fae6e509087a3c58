import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInUdp, withOptions } from '@gantry/lib-log/testing';
import test from 'ava';
import gelf from './index.js';

const server = await standInUdp();
const address = { 'gelf-address': `udp://127.0.0.1:${server.port}` };
test.after.always(() => server.close());

logDriverSuite(test, async () => withOptions(await openDriver(gelf), address));
