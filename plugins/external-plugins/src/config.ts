import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  socketDirectories: Type.Array(Type.String({ pattern: '^/' }), {
    default: ['/run/gantry-plugins', '/run/docker/plugins'],
    description: 'directories of plugin sockets, NAME.sock or NAME/NAME.sock',
  }),
  specDirectories: Type.Array(Type.String({ pattern: '^/' }), {
    default: ['/etc/gantry/plugins', '/usr/lib/gantry/plugins', '/etc/docker/plugins', '/usr/lib/docker/plugins'],
    description: 'directories of plugin addresses, NAME.spec (an address) or NAME.json (an address with TLS files)',
  }),
  startPatienceSeconds: Type.Number({
    default: 2,
    minimum: 0,
    description: 'how long the start of the engine waits for plugins',
  }),
  lookupSeconds: Type.Number({
    default: 30,
    minimum: 0,
    description: 'how long a request for the driver of a plugin that is down retries to activate it',
  }),
  callTimeoutSeconds: Type.Number({ default: 15, minimum: 0.1, description: 'deadline of a call to a plugin' }),
  authorization: Type.Array(Type.String(), {
    default: [],
    description: 'plugins that must allow every request, in this order; an unavailable one denies all',
  }),
  authorizationBodyBytes: Type.Integer({
    default: 4 * 2 ** 20,
    minimum: 1024,
    description: 'largest JSON body with authorization plugins',
  }),
});

export type ExternalPluginsConfig = Static<typeof configSchema>;
