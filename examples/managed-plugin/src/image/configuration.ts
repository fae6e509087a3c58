/** What the plugin is and asks for: the configuration of its image. */
export const configuration = (diffId: string) => ({
  description: 'volumes, networks and logs of an example',
  documentation: 'see the README',
  interface: {
    types: ['docker.volumedriver/1.0', 'docker.networkdriver/1.0', 'docker.logdriver/1.0'],
    socket: 'example.sock',
  },
  entrypoint: ['/node', '/app/main.js'],
  workdir: '/',
  network: { type: 'host' },
  linux: { capabilities: ['CAP_NET_ADMIN'], allowAllDevices: false, devices: null },
  mounts: null,
  env: [],
  args: { name: '', description: '', settable: null, value: null },
  rootfs: { type: 'layers', diff_ids: [diffId] },
});
