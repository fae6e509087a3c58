import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { BoltFile } from './bolt-file.js';
import { type JsonRecord, parseJson, recordOf, textFieldsOf, textOf } from './read-json.js';

export interface DockerNetwork {
  readonly name: string;
  readonly driver: string;
  readonly scope: string;
  /** The body of a request that creates it. */
  readonly request: JsonRecord;
}

/** In front of each value: the number of its last change. */
const indexLength = 8;
const prefix = 'docker/network/v1.0/network/';
/** Networks that every engine has. */
const own = ['bridge', 'host', 'none'];

/** The networks that users have made in a Docker data root. */
export async function readDockerNetworks(root: string): Promise<readonly DockerNetwork[]> {
  const file = join(root, 'network', 'files', 'local-kv.db');
  const hasFile = await access(file).then(
    () => true,
    () => false,
  );
  if (!hasFile) return [];
  const records = [...(await BoltFile.read(file)).bucket('libnetwork')].filter(([key]) => key.startsWith(prefix));
  return records
    .map(([key, value]) => networkOf(parseJson(value.subarray(indexLength).toString(), `${file}: ${key}`)))
    .filter(({ name }) => !own.includes(name));
}

function networkOf(record: JsonRecord): DockerNetwork {
  const name = textOf(record.name);
  const driver = textOf(record.networkType);
  const generic = recordOf(record.generic);
  const pools = [...poolsOf(record.ipamV4Config), ...poolsOf(record.ipamV6Config)];
  return {
    name,
    driver,
    scope: textOf(record.scope) || 'local',
    request: {
      Name: name,
      Driver: driver,
      Internal: record.internal === true,
      Attachable: record.attachable === true,
      EnableIPv6: record.enableIPv6 === true,
      Labels: textFieldsOf(record.labels),
      Options: textFieldsOf(generic['com.docker.network.generic']),
      IPAM: {
        Driver: textOf(record.ipamType) || 'default',
        Options: textFieldsOf(record.ipamOptions),
        Config: pools,
      },
    },
  };
}

/** The record has a text of JSON in JSON. */
function poolsOf(text: unknown): readonly JsonRecord[] {
  const pools: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : [];
  return (Array.isArray(pools) ? pools : []).map(recordOf).flatMap((pool) => {
    const { PreferredPool, SubPool, Gateway, AuxAddresses } = pool;
    const Subnet = textOf(PreferredPool);
    if (Subnet === '') return [];
    return [
      {
        Subnet,
        ...(textOf(SubPool) !== '' && { IPRange: textOf(SubPool) }),
        ...(textOf(Gateway) !== '' && { Gateway: textOf(Gateway) }),
        ...(Object.keys(textFieldsOf(AuxAddresses)).length > 0 && { AuxiliaryAddresses: textFieldsOf(AuxAddresses) }),
      },
    ];
  });
}
