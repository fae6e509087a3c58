import { loadBalancerDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import { loadBalancer, sandbox } from './index.js';

loadBalancerDriverSuite(test, () => openDriver(loadBalancer), { sandboxes: () => openDriver(sandbox) });
