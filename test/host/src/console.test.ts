import type { Scope } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import * as containers from './testing/console/containers.js';
import * as create from './testing/console/create.js';
import { daemonState } from './testing/console/daemon-state.js';
import * as images from './testing/console/images.js';
import { nodes } from './testing/console/nodes.js';
import {
  byKeyboard,
  deadOrSlow,
  everyPage,
  firstScreen,
  manyTabs,
  missingFiles,
  withoutWebSockets,
} from './testing/console/pages.js';
import { plugins } from './testing/console/plugins.js';
import { secondApi } from './testing/console/second-api.js';
import * as storage from './testing/console/storage.js';
import { swarm } from './testing/console/swarm.js';
import { type ConsolePage, startConsole } from './testing/start-console.js';

type Scenario = (t: ExecutionContext, console: ConsolePage) => Promise<void>;

/** Of the engine and the browser that all tests have: one at a time uses them, each with a session and names of its own. */
const releases: (() => Promise<void> | void)[] = [];
const owner: Scope = { teardown: (release) => void releases.unshift(release) };
let open: Awaited<ReturnType<typeof startConsole>>;

test.before(async () => {
  open = await startConsole(owner);
});

test.after.always(async () => {
  for (const release of releases) await release();
});

const inConsole = (title: string, scenario: Scenario): void =>
  test.serial(title, async (t) => scenario(t, await open(t)));

inConsole('a container is shown as it is, and does what its buttons say', containers.lifecycle);
inConsole('several containers do what is chosen for all of them, and those that stopped are pruned', containers.bulk);
inConsole('a shell runs in a container, and its own input and output are attached to', containers.terminal);
inConsole('files are uploaded and downloaded, and changes, processes and plots are shown', containers.files);
inConsole('the form creates a container with all that was filled in', create.create);
inConsole('the form pulls an image that is missing with the credentials it has', create.createAndPull);
inConsole('an image is loaded, saved, tagged, pushed, pulled and removed', images.transfers);
inConsole('images are imported, built and pruned', images.making);
inConsole('volumes are created, removed and pruned', storage.volumes);
inConsole('networks are created, connected, disconnected, removed and pruned', storage.networks);
inConsole('the page of the disk prunes every kind', storage.disk);
inConsole('a plugin is installed with its rights, configured, upgraded, switched and removed', plugins);
inConsole('a swarm is started, does what its pages say, and is left', swarm);
inConsole('another engine joins, manages the swarm, and is removed from it', nodes);
inConsole('the daemon shows what it measures, and what the doctor finds', daemonState);
inConsole('the list of containers comes with the document', firstScreen);
inConsole('every page can be used by everyone, in both themes and on a phone', everyPage);
inConsole('pages and dialogs are used by the keyboard alone', byKeyboard);
inConsole('pages of the second API have the frame of the console, and link to it', secondApi);
inConsole('more tabs than a browser opens connections all show what happens', manyTabs);
inConsole('a page whose files the browser did not get is loaded again', missingFiles);
inConsole('without WebSockets pages say that they do not update, and do what they are asked', withoutWebSockets);
inConsole('the page says that the daemon is dead or slow, and recovers', deadOrSlow);
