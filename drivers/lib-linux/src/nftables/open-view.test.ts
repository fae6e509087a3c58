import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { kernelNftables } from './kernel-nftables.js';

test('a view detects every change of the rules and counts those of one table', (t) => {
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
  session.runSync('add set inet mine s { type ipv4_addr; }\nadd element inet mine s { 10.0.0.1, 10.0.0.2 }');
  session.runSync('add map inet mine m { type ipv4_addr : verdict; flags interval; }');
  session.runSync('add element inet mine m { 10.0.0.0/24 : accept, 10.0.1.0/24 : drop, 10.9.0.0/16 : accept }');
  t.is(view.countElements('inet', 'mine', 's'), 2);
  t.is(view.countElements('inet', 'mine', 'm'), 3);
  session.runSync('flush set inet mine s');
  t.is(view.countElements('inet', 'mine', 's'), 0);
  t.throws(() => view.countElements('inet', 'mine', 'nosuch'));
  const many = Array.from({ length: 3000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
  session.runSync(`add element inet mine s { ${many.join(', ')} }`);
  t.is(view.countElements('inet', 'mine', 's'), 3000);
});
