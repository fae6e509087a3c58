import type { Finding } from '../finding.js';
import type { FirewallFacts } from '../host/host-facts.js';
import { Subject } from './subject.js';

export function checkFirewall(firewall: FirewallFacts): readonly Finding[] {
  return [checkRules(firewall), checkOthers(firewall), checkLegacy(firewall), checkForwarding(firewall)];
}

function checkRules({ failure, isReadable, ownTable, tables }: FirewallFacts): Finding {
  const subject = new Subject(
    'firewall.table',
    'the engine’s own rules',
    'All rules of the engine are in tables of its own, which it restores when another program removes them.',
  );
  if (failure !== undefined) {
    return subject.problem(
      `the packet filter cannot be read: ${failure}`,
      'Install the library of nftables ("apt-get install libnftables1"), and see kernel.nftables.',
    );
  }
  if (!isReadable)
    return subject.ok('only root can read them; the engine of an ordinary user has a packet filter of its own');
  const own = tables.filter((table) => table.endsWith(` ${ownTable}`));
  return subject.ok(own.length > 0 ? own.join(', ') : `none yet: ${ownTable} is made with the first network`);
}

function checkOthers({ firewalld, forwardChains, ownTable, ufw }: FirewallFacts): Finding {
  const subject = new Subject(
    'firewall.others',
    'other firewalls',
    'A packet has to be let through by every table of the host; what one of them drops, no rule of the engine can let in.',
  );
  if (ufw) {
    return subject.warning(
      'ufw is enabled, which forwards nothing by default',
      'Allow it for containers: "ufw route allow in on br-+", "ufw route allow out on br-+", and both for gantry0.',
    );
  }
  const dropping = forwardChains.filter(({ drops, table }) => drops && table !== ownTable);
  if (dropping.length > 0) {
    const names = dropping.map(({ family, table }) => `${family} ${table}`).join(', ');
    return subject.warning(
      `forwarded packets are dropped by default in ${names}`,
      'Let the interfaces of networks (gantry0, br-…) through there, in both directions.',
    );
  }
  if (firewalld) {
    return subject.ok('firewalld is active; the engine’s networks answer beside it, also after a reload');
  }
  return subject.ok('none that drops forwarded packets by default');
}

function checkLegacy({ legacyTables }: FirewallFacts): Finding {
  const subject = new Subject(
    'firewall.legacy',
    'rules of iptables-legacy',
    'They apply as well, and are not seen by nft or by the engine.',
  );
  if (!legacyTables.includes('filter')) return subject.ok('none');
  return subject.warning(
    `there are tables: ${legacyTables.join(', ')}`,
    'Look at "iptables-legacy -S FORWARD" when containers reach nothing; use iptables-nft instead where possible.',
  );
}

function checkForwarding({ ipForward, setsForwarding }: FirewallFacts): Finding {
  const subject = new Subject(
    'firewall.forwarding',
    'forwarding',
    'Without it containers have no route to the outside.',
  );
  if (ipForward === undefined) return subject.ok('not to be read here');
  if (ipForward) return subject.ok('net.ipv4.ip_forward is 1');
  return setsForwarding
    ? subject.ok('net.ipv4.ip_forward is 0; the engine sets it with the first network')
    : subject.problem(
        'net.ipv4.ip_forward is 0, and the engine may not set it (ipForward of network/bridge is false)',
        'Run "sysctl -w net.ipv4.ip_forward=1", or set ipForward to true.',
      );
}
