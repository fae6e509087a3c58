import { Kernel, type LogFacts, type Logger, readConfigFile, silentLogger } from '@gantry/core';
import hostedApi from '@gantry/hosted-api';
import { HostedApi } from '@gantry/hosted-api/service';
import notifications from '@gantry/notifications';
import sourceImport from '@gantry/source-import';
import lmdb from '@gantry/state-lmdb';

const [directory = '/tmp/gantry-hosted', file] = process.argv.slice(2);
const given = file === undefined ? {} : await readConfigFile(file);
const config = { dataRoot: `${directory}/data`, execRoot: `${directory}/run`, ...given };
const say = (facts: LogFacts, words: string): void => console.error(words, facts);
const log: Logger = { ...silentLogger, warn: say, error: say, child: () => log };
const kernel = new Kernel({ config, use: [lmdb, hostedApi, notifications, sourceImport], log });
await kernel.start();
const { addresses, operatorSocket } = kernel.service(HostedApi);
console.log(`the inbox is at ${addresses.join(' and ')}; tokens are made by: gantry-hosted --socket ${operatorSocket}`);
process.once('SIGINT', () => void kernel.stop()).once('SIGTERM', () => void kernel.stop());
