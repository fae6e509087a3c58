import { forbidden, invalidArgument } from '@gantry/core/errors';

/** The requests that a listener admits. */
interface AccessList {
  /** @param path as the client wrote it, without its version. */
  allows(method: string, path: string): boolean;
}

/** Lists and inspections, statistics and events: nothing that changes, starts or sends files. */
const read = [
  'GET /info',
  'GET /events',
  'GET /containers/json',
  'GET /containers/*/json',
  'GET /containers/*/top',
  'GET /containers/*/stats',
  'GET /containers/*/changes',
  'GET /exec/*/json',
  'GET /images/json',
  'GET /images/**/json',
  'GET /images/**/history',
  'GET /networks',
  'GET /networks/*',
  'GET /volumes',
  'GET /volumes/*',
  'GET /plugins',
  'GET /plugins/**',
  'GET /swarm',
  'GET /nodes',
  'GET /nodes/*',
  'GET /services',
  'GET /services/*',
  'GET /tasks',
  'GET /tasks/*',
  'GET /metrics',
  'GET /health/*',
  'GET /doctor',
] as const;

/** Clients send these first, and they reveal nothing of what runs. */
const always = ['GET /_ping', 'GET /version'] as const;

/**
 * Reads an allow-list: rules such as `POST /containers/ci-*` and the word `read`. `*` in a path stands for anything
 * within one segment, `**` for anything. A method may be several, `GET|POST`, or `*`; GET allows HEAD.
 * @throws EngineError `invalid-argument` naming the option and the rule that cannot be read.
 */
export function parseAccessList(option: string, entries: readonly string[]): AccessList {
  const rules = [...always, ...entries.flatMap((entry) => (entry === 'read' ? read : entry))].map((rule) =>
    parseRule(option, rule),
  );
  return {
    allows: (method, path) => rules.some((rule) => rule.methods.test(method) && rule.path.test(path)),
  };
}

/** @throws EngineError `forbidden` naming what was asked. */
export function checkAccess(list: AccessList, { method, path }: { method: string; path: string }): void {
  // Browsers ask by OPTIONS whether they may ask; nothing is served by it.
  if (method === 'OPTIONS' || list.allows(method, path)) return;
  throw forbidden(`${method} ${path} is not allowed at this socket`);
}

function parseRule(option: string, rule: string): { readonly methods: RegExp; readonly path: RegExp } {
  const [, methods, path] = /^(\*|[A-Z]+(?:\|[A-Z]+)*) (\/\S*)$/.exec(rule) ?? [];
  if (methods === undefined || path === undefined) {
    throw invalidArgument(
      `${option}: "${rule}" is neither "read" nor a method and a path such as "GET /containers/*/json"`,
    );
  }
  const names = methods === '*' ? '.*' : methods.replace(/\bGET\b/, 'GET|HEAD');
  const pattern = path.replace(/[^*\w/]/g, '\\$&').replace(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  return { methods: new RegExp(`^(?:${names})$`), path: new RegExp(`^${pattern}$`) };
}
