import apiHistory from '@gantry/api-history';
import archive from '@gantry/archive-worker-threads';
import containerFiles from '@gantry/container-files';
import containerHealth from '@gantry/container-health';
import containerLogs from '@gantry/container-logs';
import containerStats from '@gantry/container-stats';
import containers from '@gantry/containers';
import { Kernel } from '@gantry/core';
import engineApi from '@gantry/engine-api';
import events from '@gantry/events';
import images from '@gantry/images';
import ipam from '@gantry/ipam-default';
import jsonFile from '@gantry/log-json-file';
import noNetwork from '@gantry/network-none';
import networks from '@gantry/networks';
import runc from '@gantry/runtime-runc';
import netns from '@gantry/sandbox-netns';
import starterImage from '@gantry/starter-image';
import lmdb from '@gantry/state-lmdb';
import vfs from '@gantry/storage-vfs';
import system from '@gantry/system';
import localVolumes from '@gantry/volume-local';
import volumes from '@gantry/volumes';

const [directory = '/tmp/gantry-minimal'] = process.argv.slice(2);
const kernel = new Kernel({
  config: {
    dataRoot: `${directory}/data`,
    execRoot: `${directory}/run`,
    plugins: { 'engine-api': { hosts: [`unix://${directory}/gantry.sock`] } },
  },
  use: [
    ...[archive, lmdb, vfs, runc, netns, ipam, noNetwork, localVolumes, jsonFile],
    ...[engineApi, apiHistory, events, images, starterImage, volumes, networks, system],
    ...[containerLogs, containers, containerStats, containerHealth, containerFiles],
  ],
});
await kernel.start();
console.log(`containers without a network, at ${directory}/gantry.sock`);
process.once('SIGINT', () => void kernel.stop()).once('SIGTERM', () => void kernel.stop());
