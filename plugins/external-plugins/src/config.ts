import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  socketDirectories: Type.Array(Type.String({ pattern: '^/' }), {
    default: ['/run/gantry-plugins', '/run/docker/plugins'],
    description: 'plugins listen here, NAME.sock or NAME/NAME.sock',
  }),
  specDirectories: Type.Array(Type.String({ pattern: '^/' }), {
    default: ['/etc/gantry/plugins', '/usr/lib/gantry/plugins', '/etc/docker/plugins', '/usr/lib/docker/plugins'],
    description: 'NAME.spec (an address) and NAME.json (an address with TLS files) say where plugins listen',
  }),
  startPatienceSeconds: Type.Number({
    default: 2,
    minimum: 0,
    description: 'how long the start of the engine waits for plugins that do not answer',
  }),
  callTimeoutSeconds: Type.Number({ default: 15, minimum: 0.1, description: 'for a plugin to answer a question' }),
  authorization: Type.Array(Type.String(), {
    default: [],
    description: 'plugins that are asked about every request, in this order; one that is not there refuses everything',
  }),
  authorizationBodyBytes: Type.Integer({
    default: 4 * 2 ** 20,
    minimum: 1024,
    description: 'of a JSON body; with authorization plugins, larger ones are refused',
  }),
});

export type ExternalPluginsConfig = Static<typeof configSchema>;
