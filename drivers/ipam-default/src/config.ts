import { invalidArgument } from '@gantry/core/errors';
import { bitsOf, parseSubnet } from '@gantry/lib-network/subnet';
import { type Static, Type } from '@sinclair/typebox';
import type { SubnetSource } from './first-free-subnet.js';

const large = Array.from({ length: 15 }, (_, index) => ({ base: `172.${17 + index}.0.0/16`, size: 16 }));

export const configSchema = Type.Object(
  {
    pools: Type.Array(
      Type.Object(
        {
          base: Type.String({ description: 'CIDR that subnets are allocated from' }),
          size: Type.Integer({ minimum: 1, maximum: 128, description: 'prefix length of each' }),
        },
        { additionalProperties: false },
      ),
      {
        default: [...large, { base: '192.168.0.0/16', size: 20 }],
        description: 'where networks without a requested subnet get one, in this order',
      },
    ),
  },
  { additionalProperties: false },
);

type Config = Static<typeof configSchema>;

/** @throws EngineError `invalid-argument` naming the key and the value. */
export const parsePools = ({ pools }: Config): readonly SubnetSource[] =>
  pools.map(({ base, size }, index) => {
    const parsed = parseSubnet(base);
    if (parsed === undefined) {
      throw invalidArgument(`pools[${index}].base: "${base}" is not a subnet such as 10.200.0.0/16`);
    }
    if (size < parsed.prefix || size > bitsOf(parsed.family)) {
      throw invalidArgument(
        `pools[${index}].size: ${size} does not lie between ${parsed.prefix} and the whole address`,
      );
    }
    return { base: parsed, size };
  });
