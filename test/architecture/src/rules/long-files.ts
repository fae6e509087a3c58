/** Files over the limit, each with the reason why splitting it would make it harder to read. */
export const longFiles: Readonly<Record<string, string>> = {
  'gantry-client/src/api-types/containers.ts': 'made from the OpenAPI document, and read by programs',
  'gantry-client/src/api-types/services.ts': 'made from the OpenAPI document, and read by programs',
};
