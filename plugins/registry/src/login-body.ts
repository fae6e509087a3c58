import { Type } from '@sinclair/typebox';

/** Spec: POST /auth. */
export const loginBody = Type.Object({
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  serveraddress: Type.Optional(Type.String()),
  identitytoken: Type.Optional(Type.String()),
  registrytoken: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
});
