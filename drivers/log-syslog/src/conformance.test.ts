import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInUdp, withOptions } from '@gantry/lib-log/testing';
import test from 'ava';
import syslog from './index.js';

// Containers without an address use the socket of this host, which may have none.
const server = await standInUdp();
const address = { 'syslog-address': `udp://127.0.0.1:${server.port}` };
test.after.always(() => server.close());

logDriverSuite(test, async () => withOptions(await openDriver(syslog), address));
