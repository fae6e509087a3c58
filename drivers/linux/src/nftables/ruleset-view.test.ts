import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { kernelNftables } from './kernel-nftables.js';

test('a view tells every change of the rules and counts those of one table', (t) => {
  const namespace = join(tmpdir(), `ruleset-view-${process.pid}`);
  kernelNamespaces.createNetwork(namespace);
  const session = kernelNftables.open({ namespace });
  const view = kernelNftables.openView({ namespace });
  t.teardown(() => {
    view.close();
    session.close();
    kernelNamespaces.removeNetwork(namespace);
  });
  t.is(view.countRules('inet', 'mine'), 0);
  session.runSync('add table inet mine\nadd chain inet mine a\nadd chain inet mine b\nadd rule inet mine a accept');
  session.runSync('add rule inet mine b accept\nadd table ip mine\nadd chain ip mine a\nadd rule ip mine a accept');
  t.is(view.countRules('inet', 'mine'), 2);
  const before = view.generation();
  t.is(view.generation(), before);
  session.runSync('flush table inet mine');
  t.not(view.generation(), before);
  t.is(view.countRules('inet', 'mine'), 0);
  t.is(view.countRules('ip', 'mine'), 1);
});
