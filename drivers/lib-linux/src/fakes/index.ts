export { type FakeCall, FakeLauncher, type FakeProgram } from './fake-launcher.js';
export { FakeMounts } from './fake-mounts.js';
export { FakeNamespaces } from './fake-namespaces.js';
export { FakeNetlink } from './fake-netlink.js';
export { FakeNftables, type FakeNftCall } from './fake-nftables.js';
export { FakeSysctl } from './fake-sysctl.js';
