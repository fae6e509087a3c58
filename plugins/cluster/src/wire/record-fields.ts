import { parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

/** Fields of every record of a swarm. */
export const recordFields = {
  ID: Type.String(),
  Version: Type.Object({ Index: Type.Integer() }),
  CreatedAt: Type.String(),
  UpdatedAt: Type.String(),
};

/** Of the query of an update. */
export const versionParameter = parameter.requiredWhole('of the record that was read');
