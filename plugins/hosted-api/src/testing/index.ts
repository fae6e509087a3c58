export { type AskOptions, type HostedClient, hostedClient } from './hosted-client.js';
export { filesOfPage } from './page-files.js';
