import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { startClientHost } from '../testing/client-host.js';
import { clients, dockerOn } from '../testing/debian.js';

interface Targets {
  readonly data: { readonly activeTargets: readonly { readonly discoveredLabels: Readonly<Record<string, string>> }[] };
}

test('Prometheus discovers containers with their networks, ports and labels', async (t) => {
  const host = await startClientHost(t);
  const { directory } = host.daemon;
  const docker = await dockerOn(host);
  await docker.succeed('network', 'create', 'front');
  const options = ['--network', 'front', '--publish', '127.0.0.1::80', '--label', 'team=web', '--stop-signal', 'KILL'];
  const id = (await docker.succeed('run', '--detach', '--name', 'web', ...options, 'busybox', 'httpd', '-f')).trim();
  const file = path.join(directory, 'prometheus.yml');
  const discovery = { host: `unix://${host.daemon.socket}`, refresh_interval: '1s' };
  await writeFile(file, JSON.stringify({ scrape_configs: [{ job_name: 'all', docker_sd_configs: [discovery] }] }));
  const stop = new AbortController();
  const data = `--storage.tsdb.path=${path.join(directory, 'prometheus')}`;
  const listen = '--web.listen-address=127.0.0.1:9090';
  const running = host.run((await clients()).prometheus, [`--config.file=${file}`, data, listen], {
    signal: stop.signal,
  });
  t.teardown(async () => {
    stop.abort();
    await running;
  });
  const ask = `fetch('http://127.0.0.1:9090/api/v1/targets').then((r) => r.text()).then(console.log)`;
  const labels = await eventually('a target', async () => {
    const { code, stdout } = await host.run(process.execPath, ['-e', ask]);
    return code === 0 && (JSON.parse(stdout) as Targets).data.activeTargets[0]?.discoveredLabels;
  });
  const { IPAddress: address } = JSON.parse(
    await docker.succeed('inspect', '--format', '{{json .NetworkSettings.Networks.front}}', id),
  );
  t.like(labels, {
    __address__: `${address}:80`,
    __meta_docker_container_id: id,
    __meta_docker_container_name: '/web',
    __meta_docker_container_label_team: 'web',
    __meta_docker_network_name: 'front',
    __meta_docker_network_ip: address,
    __meta_docker_port_public_ip: '127.0.0.1',
  });
});
