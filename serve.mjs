import { startDaemon } from '@gantry/test-nodes';
const releases = [];
const t = { passed: true, log: console.log, teardown: (r) => releases.push(r) };
const d = await startDaemon(t, { logLevel: 'info', within: ['unshare','--net','sh','-c','ip link set lo up && exec "$@"','sh'], plugins: { 'external-plugins': { socketDirectories: ['/run/docker/plugins'], specDirectories: ['/etc/docker/plugins','/usr/lib/docker/plugins'] } } });
console.log(d.socket, d.pid);
process.stdin.resume();
process.on('SIGTERM', async () => { for (const r of releases.reverse()) await r(); console.log('ended'); process.exit(0); });
