import { openDriver, runtimeDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { runtime } from './index.js';
import { wipeDisk } from './memory-disk.js';

runtimeDriverSuite(test, async () => {
  let state = '';
  const opened = await openDriver(runtime, { onReboot: () => wipeDisk(state) });
  state = opened.dirs.state;
  return opened;
});
