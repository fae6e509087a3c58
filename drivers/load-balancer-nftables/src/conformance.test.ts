import { loadBalancerDriverSuite, openDriver } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import netns from '@gantry/sandbox-netns';
import test from 'ava';
import driver from './index.js';

// A host of the test process's own, which goes with it.
kernelNamespaces.leaveNetwork();

loadBalancerDriverSuite(test, () => openDriver(driver), { sandboxes: () => openDriver(netns) });
