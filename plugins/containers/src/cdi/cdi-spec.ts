import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Integer());
const texts = Type.Optional(Type.Array(Type.String()));

const EditsSchema = Type.Object(
  {
    env: Type.Optional(Type.Array(Type.String({ pattern: '^[^=]+=' }))),
    deviceNodes: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ pattern: '^/' }),
          hostPath: text,
          type: Type.Optional(Type.Union([Type.Literal('c'), Type.Literal('b'), Type.Literal('u'), Type.Literal('p')])),
          major: number,
          minor: number,
          fileMode: number,
          permissions: Type.Optional(Type.String({ pattern: '^[rwm]*$' })),
          uid: number,
          gid: number,
        }),
      ),
    ),
    mounts: Type.Optional(
      Type.Array(
        Type.Object({
          hostPath: Type.String({ pattern: '^/' }),
          containerPath: Type.String({ pattern: '^/' }),
          options: texts,
          type: text,
        }),
      ),
    ),
    hooks: Type.Optional(
      Type.Array(
        Type.Object({
          hookName: Type.Union(
            (['prestart', 'createRuntime', 'createContainer', 'startContainer', 'poststart', 'poststop'] as const).map(
              (name) => Type.Literal(name),
            ),
          ),
          path: Type.String({ pattern: '^/' }),
          args: texts,
          env: texts,
          timeout: number,
        }),
      ),
    ),
    additionalGids: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }))),
  },
  // An edit that is not known here would be lost silently.
  { additionalProperties: false },
);

const SpecSchema = Type.Object({
  cdiVersion: Type.String({ pattern: '^(?:0\\.[3-9]|1\\.\\d+)\\.\\d+$' }),
  kind: Type.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?/[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$' }),
  devices: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_.:-]*[A-Za-z0-9])?$' }),
      containerEdits: EditsSchema,
    }),
    { minItems: 1 },
  ),
  containerEdits: Type.Optional(EditsSchema),
});

/** What a device changes in a container. */
export type CdiEdits = typeof EditsSchema.static;

/** The Container Device Interface's description of the devices of one kind, as far as it is understood here. */
export type CdiSpec = typeof SpecSchema.static;

/** @throws Error naming the first field that is wrong. */
export function parseCdiSpec(value: unknown): CdiSpec {
  const [error] = Value.Errors(SpecSchema, value);
  if (error !== undefined) throw new Error(`${error.path || '/'}: ${error.message}`);
  return value as CdiSpec;
}
